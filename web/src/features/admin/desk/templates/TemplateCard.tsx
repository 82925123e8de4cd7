// One letter: the fields to change it in, the key that saves it once it differs, and what somebody else made of it meanwhile.
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { apiError } from "../../../../api/client.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { FormProblem } from "../../../../ui/FormLine.tsx";
import { putTemplate, templatesQuery } from "../answers/answerCalls.ts";
import { kindName, type Letter } from "../answers/letters.ts";
import type { LetterTemplate } from "../deskTypes.ts";
import { isChanged, type TemplateDraft } from "./templateDraft.ts";

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
  const [isSaving, setSaving] = useState(false);
  const isBusy = useRef(false);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const shown: Letter = draft ?? template;
  const hasChanged = isChanged(template, draft);
  const isStale = hasChanged && version > draft.version && !isSaving;

  const write = (changes: Partial<Letter>) =>
    onDraft({
      subject: shown.subject,
      text: shown.text,
      version: draft?.version ?? version,
      ...changes,
    });

  async function save(onto: number): Promise<void> {
    if (!hasChanged || isBusy.current) return;
    isBusy.current = true;
    setSaving(true);
    setProblems({});
    setProblem(undefined);
    try {
      onSaved(await putTemplate(kind, onto, { subject: draft.subject, text: draft.text }), draft);
    } catch (error) {
      const { code, fields, said } = apiError(error);
      setProblems(fields);
      // Beside the newest one the card says so itself, and everything typed stays.
      if (code === "stale_version")
        await client.refetchQueries({ queryKey: templatesQuery.queryKey });
      else if (Object.keys(fields).length === 0) {
        setProblem(said ?? "The server did not answer. Nothing was saved.");
      }
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }
  return (
    <form
      aria-label={name}
      className="flex min-w-0 flex-col gap-4 p-gutter"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save(draft?.version ?? version);
      }}
    >
      <h3 className="type-row">{name}</h3>
      <Field
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
        <section aria-label={`Newest version of ${name}`} className="border border-signal p-4">
          <p role="alert">
            Somebody else has saved this since you began. What you typed is still here and not
            saved.
          </p>
          <p className="type-label mt-4 text-dim uppercase">Now</p>
          <p>{template.subject}</p>
          <p className="mt-2 max-h-60 overflow-y-auto whitespace-pre-line">{template.text}</p>
          <div className="type-label mt-4 flex flex-wrap gap-3">
            <Button variant="outline" onClick={() => void save(version)}>
              Save Mine Over It
            </Button>
            <Button onClick={() => onDraft(undefined)}>Take The Newest</Button>
          </div>
        </section>
      ) : (
        hasChanged && (
          <div className="type-label flex flex-wrap gap-3">
            <Button type="submit" isBusy={isSaving} variant="main">
              {isSaving ? "Saving..." : "Save Changes"}
            </Button>
            <Button onClick={() => onDraft(undefined)}>Discard</Button>
          </div>
        )
      )}
    </form>
  );
}
