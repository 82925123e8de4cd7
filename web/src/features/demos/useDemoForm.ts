// The dialog's form: words and a file, checked by the rules before a byte travels, and what is said of the outcome.
import { useEffect, useRef, useState } from "react";
import { mapChecked, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { DEMO_MISSING } from "../../rules/generated/refusals.ts";
import { loadRules, type Rules, withRules } from "../../rules/rules.ts";
import { messageTitle } from "../../ui/messages.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";
import { problemOfEnd } from "./archive.ts";
import { type DemoFields, forgetDraft, keepDraft, readDraft } from "./draft.ts";
import type { Dropped } from "./dropped.ts";
import { type Refusal, refusalOf } from "./refusals.ts";
import { UploadCancelled } from "./upload/failures.ts";
import { useDemoUpload } from "./useDemoUpload.ts";

export function useDemoForm(onSubmitted: () => void) {
  const [blank] = useState(() => ({ ...readDraft(), file: null }));
  const [file, setFile] = useState<File>();
  const [fileProblem, setFileProblem] = useState<string>();
  /** What is wrong inside the chosen file, which the form's rule does not see. */
  const [refusedEnd, setRefusedEnd] = useState<ReturnType<Rules["checkDemoEnd"]>>();
  const chosenFile = useRef<File>(undefined);
  const fileButton = useRef<HTMLButtonElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const refused = useRef<Refusal>(undefined);
  const hasEnded = useRef(false);
  const upload = useDemoUpload();

  const form = useRulesForm({
    check: (rules, typed) => {
      const { artist_name, email, message } = typed;
      const about = file ? aboutFile(file) : null;
      const checked = rules.checkDemo({ artist_name, email, message, file: about });
      if (refusedEnd && !checked.problems) return { problems: [refusedEnd] };
      return mapChecked(checked, (demo): DemoFields => {
        return { artist_name: demo.artist_name, email: demo.email, message: demo.message ?? "" };
      });
    },
    unchecked: (typed): DemoFields => typed,
    blank,
    async send(typed) {
      if (!file) return askForFile();
      try {
        await upload.send(file, typed);
        forgetDraft();
        showToast({ title: messageTitle("demo_submitted") });
        onSubmitted();
      } catch (error) {
        if (!(error instanceof UploadCancelled)) refused.current = refusalOf(error);
        hasEnded.current = true;
      }
    },
    onInvalid(problems) {
      const [first] = problems;
      if (!first) return;
      say(first.title ?? messageTitle("demo_failed"), first.message);
      // Where a field is wrong too, the focus is in it: they stand above the file.
      if (problems.every(({ field }) => field === "file")) fileButton.current?.focus();
    },
  });

  /** Without the rules nobody has said so yet, and there is nothing that the server could refuse. */
  function askForFile(): void {
    const { title, text } = DEMO_MISSING;
    form.setError("file", text);
    say(title, text);
    fileButton.current?.focus();
  }

  // Said once the fields are enabled again and can take the focus.
  const { isSending, showRefusal, setProblem } = form;
  useEffect(() => {
    if (isSending || !hasEnded.current) return;
    hasEnded.current = false;
    const refusal = refused.current;
    refused.current = undefined;
    // Where they were is gone with the upload; what is wrong with a field leads there instead.
    if (refusal?.fields.file) fileButton.current?.focus();
    else submitButton.current?.focus();
    if (!refusal) return;
    say(refusal.title, refusal.text);
    if (!showRefusal(refusal)) setProblem(refusal.text);
  }, [isSending, showRefusal, setProblem]);

  async function choose(chosen: Dropped): Promise<void> {
    form.clearError("file");
    form.setProblem(undefined);
    if ("problem" in chosen) {
      setFileProblem(chosen.problem);
      return;
    }
    setFile(chosen.file);
    setFileProblem(undefined);
    setRefusedEnd(undefined);
    chosenFile.current = chosen.file;
    await loadRules();
    let problem = withRules((rules) => rules.checkDemoFile(aboutFile(chosen.file)));
    if (!problem) {
      problem = await problemOfEnd(chosen.file);
      // Another one was chosen meanwhile.
      if (chosenFile.current !== chosen.file) return;
      if (problem) setRefusedEnd(problem);
    }
    if (!problem) return;
    setFileProblem(problem.message);
    say(problem.title ?? messageTitle("demo_failed"), problem.message);
  }

  return {
    ...form,
    upload,
    file,
    fileButton,
    submitButton,
    fileError: fileProblem ?? form.errorOf("file"),
    choose: (chosen: Dropped) => void choose(chosen),
    removeFile() {
      setFile(undefined);
      setFileProblem(undefined);
      setRefusedEnd(undefined);
      chosenFile.current = undefined;
      form.clearError("file");
    },
    /** Keeps what was typed for the next time the dialog opens in this tab. */
    keepDraft: () => keepDraft(form.getValues()),
  };
}

function say(title: string, description: string): void {
  showToast({ title, description, isError: true });
}

function aboutFile({ name, type, size }: File) {
  return { name, media_type: type, size_bytes: size };
}
