// The dialog's form: input and a file, checked before a byte is sent, and the outcome.
import type { Problem } from "@deadwax/audio";
import { useEffect, useRef, useState } from "react";
import type { DemoInputs } from "../../rules/forms/inputs.ts";
import { mapChecked, useRulesForm } from "../../rules/forms/useRulesForm.ts";
import { DEMO_MISSING } from "../../rules/generated/refusals.ts";
import { createBrowserStore } from "../../session/browserStore.ts";
import { messageText, messageTitle } from "../../ui/messages.ts";
import { takeFocus } from "../../ui/takeFocus.ts";
import {
  type KeptLink,
  showToast,
  type ToastMessage,
  withdrawToast,
} from "../../ui/toasts/toastQueue.ts";
import { type Refusal, refusalOf, UploadCancelled } from "./refusals.ts";
import type { Dropped } from "./useChosenFile.ts";
import { aboutFile, useChosenFile } from "./useChosenFile.ts";
import { useDemoUpload } from "./useDemoUpload.ts";

export function useDemoForm(onSubmitted: () => void) {
  const [blank] = useState(() => ({ ...drafts.get(), file: null }));
  const chosen = useChosenFile(tell);
  const { file } = chosen;
  const fileButton = useRef<HTMLButtonElement>(null);
  const submitButton = useRef<HTMLButtonElement>(null);
  const ended = useRef<{ refusal?: Refusal }>(undefined);
  const said = useRef<ToastMessage>(undefined);
  const upload = useDemoUpload();

  const form = useRulesForm({
    check: (rules, typed) => {
      const { artist_name, email, message } = typed;
      const about = file ? aboutFile(file) : null;
      const checked = rules.checkDemo({ artist_name, email, message, file: about });
      // The form's rule does not see the file's content.
      if (chosen.problem && !checked.problems) return { problems: [chosen.problem] };
      return mapChecked(checked, (demo): DemoFields => {
        return { artist_name: demo.artist_name, email: demo.email, message: demo.message ?? "" };
      });
    },
    unchecked: (typed): DemoFields => typed,
    blank,
    async send(typed) {
      if (!file) return askForFile();
      if (await chosen.judgement()) {
        fileButton.current?.focus();
        return;
      }
      // A file that was chosen since needs another press.
      if (!chosen.isStillChosen(file)) return;
      withdraw();
      try {
        const address = await upload.send(file, typed);
        drafts.clear();
        showToast({
          title: messageTitle("demo_submitted"),
          ...(address && { description: messageText("demo_link"), link: linkOf(address) }),
        });
        onSubmitted();
      } catch (error) {
        ended.current = error instanceof UploadCancelled ? {} : { refusal: refusalOf(error) };
      }
    },
    onInvalid(problems) {
      const [first] = problems;
      if (!first) return;
      tell(first);
      // If a field is wrong too, it has the focus.
      if (problems.every(({ field }) => field === "file")) fileButton.current?.focus();
    },
  });

  function tell({ title, message }: Problem): void {
    said.current = say(title ?? messageTitle("demo_failed"), message);
  }

  function withdraw(): void {
    if (said.current) withdrawToast(said.current);
    said.current = undefined;
  }

  /** Without the rules the missing file was not reported yet, and the server has nothing to refuse. */
  function askForFile(): void {
    const { title, text } = DEMO_MISSING;
    form.setError("file", text);
    said.current = say(title, text);
    fileButton.current?.focus();
  }

  // Reported once the fields are enabled and can take the focus.
  const { isSending, showRefusal, setProblem } = form;
  useEffect(() => {
    if (isSending || !ended.current) return;
    const { refusal } = ended.current;
    ended.current = undefined;
    const place = (refusal?.fields.file ? fileButton : submitButton).current;
    // In the form it is where the upload left it; elsewhere the person has placed it.
    if (place?.form?.contains(document.activeElement)) place.focus();
    else takeFocus(place);
    if (!refusal) return;
    said.current = say(refusal.title, refusal.text);
    if (!showRefusal(refusal)) setProblem(refusal.text);
  }, [isSending, showRefusal, setProblem]);

  return {
    ...form,
    upload,
    file,
    fileButton,
    submitButton,
    fileLine: chosen.line,
    fileError: chosen.dropProblem ?? chosen.problem?.message ?? form.errorOf("file"),
    choose(dropped: Dropped) {
      form.clearError("file");
      form.setProblem(undefined);
      withdraw();
      chosen.choose(dropped);
    },
    removeFile() {
      chosen.remove();
      form.clearError("file");
    },
    keepDraft() {
      const { artist_name, email, message } = form.getValues();
      drafts.update(() => ({ artist_name, email, message }));
    },
  };
}

/** The demo's page: the token of the upload's address leads there too. */
function linkOf(address: string): KeptLink {
  const token = new URL(address, window.location.origin).pathname.split("/").at(-1);
  return { href: `${window.location.origin}/demos/${token}`, label: "Link to your demo" };
}

function say(title: string, description: string): ToastMessage {
  const message = { title, description, isError: true };
  showToast(message);
  return message;
}

export type DemoFields = Omit<DemoInputs, "file">;

const BLANK: DemoFields = { artist_name: "", email: "", message: "" };

/** The input, kept for this tab until the demo is sent. The file cannot be kept. */
const drafts = createBrowserStore("deadwax.demo-draft", readFields, "tab");

function readFields(found: unknown): DemoFields {
  if (typeof found !== "object" || found === null) return BLANK;
  const parts = Object.entries(found).filter(
    ([name, part]) => name in BLANK && typeof part === "string",
  );
  return { ...BLANK, ...Object.fromEntries(parts) };
}
