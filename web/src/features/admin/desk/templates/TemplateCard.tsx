// One letter: the fields to change it in, the key that saves it once it differs, and what somebody else made of it meanwhile.
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { readOnce } from "../../../../api/readOnce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { useFocusKept } from "../../../../ui/useFocusKept.ts";
import { NewestVersion } from "../../editing/NewestVersion.tsx";
import { useDraftSaving } from "../../editing/useDraftSaving.ts";
import { putTemplate, templatesQuery } from "../answers/answerCalls.ts";
import { kindName, type Letter } from "../answers/letters.ts";
import type { LetterTemplate } from "../deskTypes.ts";
import { isChanged, letterOf, type TemplateDraft } from "./templateDraft.ts";

interface TemplateCardProps {
  template: LetterTemplate;
  draft: TemplateDraft | undefined;
  onDraft: (draft: TemplateDraft | undefined) => void;
  /** Hears the template as the server has it now, and what was saved: more may have been typed since. */
  onSaved: (template: LetterTemplate, sent: TemplateDraft) => void;
}

export function TemplateCard({ template, draft, onDraft, onSaved }: TemplateCardProps) {
  const client = useQueryClient();
  const { kind, version } = template;
  const name = kindName(kind);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const shown = letterOf(template, draft);
  const hasChanged = isChanged(template, draft);
  function forgetProblems(): void {
    setProblems({});
    setProblem(undefined);
  }
  // The keys go once there is nothing left to save.
  const { frame, refuge } = useFocusKept();
  const { isSaving, isStale, save, saveOver } = useDraftSaving({
    stored: template,
    changed: hasChanged ? draft : undefined,
    send(typed, onto) {
      forgetProblems();
      return putTemplate(kind, onto, letterOf(template, typed));
    },
    onSaved,
    readNewest: async () => (await readOnce(client, templatesQuery)).data !== undefined,
    onFailed({ fields, said }) {
      setProblems(fields);
      if (Object.keys(fields).length > 0) return;
      setProblem(said ?? "The server did not answer. Nothing was saved.");
    },
  });

  function write(changes: Partial<Letter>): void {
    const typed = { version, ...draft, ...changes };
    put(isChanged(template, typed) ? typed : undefined);
  }

  /** What was wrong with the draft before is not said of another one. */
  function put(next: TemplateDraft | undefined): void {
    forgetProblems();
    onDraft(next);
  }

  return (
    <form
      ref={frame}
      aria-label={name}
      className="flex min-w-0 flex-col gap-4 p-gutter"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <h3 className="type-row">{name}</h3>
      <Field
        ref={refuge}
        label="Subject"
        autoComplete="off"
        dir="auto"
        error={problems.subject}
        value={shown.subject}
        onChange={({ target }) => write({ subject: target.value })}
      />
      <TextArea
        label="Text"
        rows={8}
        dir="auto"
        error={problems.text}
        value={shown.text}
        onChange={({ target }) => write({ text: target.value })}
      />
      <FormProblem>{problem}</FormProblem>
      {isStale ? (
        <NewestVersion
          name={name}
          since="began"
          onSaveMine={saveOver}
          onTake={() => put(undefined)}
        >
          <p className="type-label mt-4 text-dim uppercase">Now</p>
          <p>{template.subject}</p>
          <p className="mt-2 max-h-60 overflow-y-auto whitespace-pre-line">{template.text}</p>
        </NewestVersion>
      ) : (
        hasChanged && (
          <div className="type-label flex flex-wrap gap-3">
            <Button type="submit" isBusy={isSaving} variant="main">
              {isSaving ? "Saving..." : "Save Changes"}
            </Button>
            <Button onClick={() => put(undefined)}>Discard</Button>
          </div>
        )
      )}
    </form>
  );
}
