// The templates of letters, one of each kind, edited side by side.
import { call } from "../../../../api/client.ts";
import { MAY_BE_SAVED } from "../../../../session/wordsFor.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { Modal } from "../../../../ui/Modal.tsx";
import { SkeletonBlock } from "../../../../ui/Skeleton.tsx";
import { useUnsaved } from "../../../../ui/unsaved/useUnsaved.tsx";
import { type Drafted, DraftForm, useDraft, useDrafts } from "../../editing/drafts.tsx";
import { ifMatch } from "../../resource/resourceConfig.ts";
import { templatesQuery } from "../answers/answerCalls.ts";
import { type Letter, type LetterTemplate, letterName } from "../deskTypes.ts";

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const templates = useDrafts<LetterTemplate, Letter>(templatesQuery, ({ kind }) => kind);
  const { askBefore, question } = useUnsaved(templates.isUnsaved);
  return (
    <Modal title="Letters" onClose={() => askBefore(onClose)} isWide>
      <p className="border-hairline border-b p-gutter text-dim">
        {
          "{artist}, {file} and {label} are filled in for each demo. Letters that wait stay as they are."
        }
      </p>
      {templates.pages ? (
        <div className="grid-cells grid-cols-[minmax(0,1fr)] md:grid-cols-2">
          {templates.items.map((template) => (
            <TemplateCard key={template.kind} drafted={templates.draftedOf(template)} />
          ))}
        </div>
      ) : templates.isFailing ? (
        <div role="alert" className="flex flex-wrap items-center gap-4 p-gutter">
          <p className="text-signal">The letters could not be read.</p>
          <Button onClick={templates.tryAgain}>Try Again</Button>
        </div>
      ) : (
        <SkeletonBlock lines={6} />
      )}
      {question}
    </Modal>
  );
}

export function TemplateCard({ drafted }: { drafted: Drafted<LetterTemplate, Letter> }) {
  const { stored } = drafted;
  const name = letterName(stored.kind);
  const form = useDraft(drafted, {
    send: ({ subject, text }, version) =>
      call("PUT", "/api/admin/desk/templates/{kind}", {
        path: { kind: stored.kind },
        headers: ifMatch({ version }),
        body: { subject, text },
      }),
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
      <h3 className="type-row">{name}</h3>
      <Field
        data-focus-home
        label="Subject"
        autoComplete="off"
        error={failure?.fields.subject}
        value={shown.subject}
        onChange={({ target }) => form.write({ subject: target.value })}
      />
      <TextArea
        label="Text"
        rows={8}
        error={failure?.fields.text}
        value={shown.text}
        onChange={({ target }) => form.write({ text: target.value })}
      />
      <FormProblem>
        {failure && !isAboutFields ? (failure.said ?? MAY_BE_SAVED) : undefined}
      </FormProblem>
    </DraftForm>
  );
}
