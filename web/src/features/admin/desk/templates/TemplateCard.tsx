// One letter template: the fields to edit it in.
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { type Drafted, DraftForm, useDraft } from "../../editing/drafts.tsx";
import { putTemplate } from "../answers/answerCalls.ts";
import { type Letter, type LetterTemplate, letterName } from "../deskTypes.ts";

export function TemplateCard({ drafted }: { drafted: Drafted<LetterTemplate, Letter> }) {
  const { stored } = drafted;
  const name = letterName(stored.kind);
  const form = useDraft(drafted, {
    send: ({ subject, text }, version) => putTemplate(stored.kind, version, { subject, text }),
  });
  const { shown, failure } = form;
  const isAboutFields = Object.keys(failure?.fields ?? {}).length > 0;
  return (
    <DraftForm
      name={name}
      className="p-gutter"
      form={form}
      newest={
        <>
          <p>{stored.subject}</p>
          <p className="mt-2 max-h-60 overflow-y-auto whitespace-pre-line">{stored.text}</p>
        </>
      }
    >
      {(refuge) => (
        <>
          <h3 className="type-row">{name}</h3>
          <Field
            ref={refuge}
            label="Subject"
            autoComplete="off"
            dir="auto"
            error={failure?.fields.subject}
            value={shown.subject}
            onChange={({ target }) => form.write({ subject: target.value })}
          />
          <TextArea
            label="Text"
            rows={8}
            dir="auto"
            error={failure?.fields.text}
            value={shown.text}
            onChange={({ target }) => form.write({ text: target.value })}
          />
          <FormProblem>
            {failure && !isAboutFields
              ? (failure.said ?? "The server did not answer. Nothing was saved.")
              : undefined}
          </FormProblem>
        </>
      )}
    </DraftForm>
  );
}
