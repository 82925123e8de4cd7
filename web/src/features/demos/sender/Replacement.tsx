// Replaces the sent file: chosen, checked and sent as in the dialog.
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { DEMO_ACCEPT } from "../../../rules/generated/constants.ts";
import { useRules } from "../../../rules/useRules.ts";
import { Button } from "../../../ui/Button.tsx";
import { FormProblem, FormStatus } from "../../../ui/FormLine.tsx";
import { useFilePicker } from "../../../ui/useFilePicker.tsx";
import { loadAudio } from "../probeFile.ts";
import { refusalOf, UploadCancelled } from "../refusals.ts";
import { UploadProgress } from "../UploadProgress.tsx";
import { judge } from "../useChosenFile.ts";
import { useDemoUpload } from "../useDemoUpload.ts";
import { useUploadGuard } from "../useUploadGuard.tsx";

interface ReplacementProps {
  token: string;
  /** The read to repeat once the file is replaced. */
  query: QueryKey;
  /** False once the demo was heard: then only an upload under way is shown, and why it was refused. */
  isOpen: boolean;
}

export function Replacement({ token, query, isOpen }: ReplacementProps) {
  const client = useQueryClient();
  const upload = useDemoUpload();
  const replace = useSingleMutation({ mutationFn: send });
  const isChecking = replace.isPending && !upload.underWay;
  // A dialog over the page ends nothing.
  const { progress, question } = useUploadGuard(
    upload,
    (from, to) => from.pathname !== to.pathname,
  );
  useRules();
  useEffect(() => {
    if (isOpen) void loadAudio();
  }, [isOpen]);

  const { open, picker } = useFilePicker(
    { accept: DEMO_ACCEPT },
    ([file]) => file && replace.mutate(file),
  );

  async function send(file: File): Promise<void> {
    const { problem } = await judge(file, new AbortController().signal);
    if (problem) throw new WrongFile(problem.message);
    try {
      await upload.send(file, { replaces: token });
    } finally {
      // Also after a refusal: the demo may have been heard by now. Not awaited: a failed read is retried for as long as it
      // takes.
      void client.invalidateQueries({ queryKey: query });
    }
  }

  const problem = replace.error ? wordsOf(replace.error) : undefined;
  if (!isOpen && !replace.isPending) return <FormProblem>{problem}</FormProblem>;
  return (
    <section aria-labelledby="replacement" className="flex flex-col items-start gap-5">
      <h2 id="replacement" className="type-label">
        ANOTHER FILE
      </h2>
      <p className="max-w-[60ch]">
        While nobody has heard it, another file can take its place. The one you sent is removed.
      </p>
      <FormProblem>{problem}</FormProblem>
      <FormStatus>{replace.isSuccess ? "The new file is here." : undefined}</FormStatus>
      {picker}
      {upload.underWay ? (
        <>
          <div className="w-full max-w-xl">
            <UploadProgress
              fileName={replace.variables?.name ?? ""}
              state={upload.underWay.state}
              pace={upload.underWay.pace}
              region={progress}
            />
          </div>
          <Button variant="destroy" size="large" onClick={upload.cancel}>
            CANCEL UPLOAD
          </Button>
          {question}
        </>
      ) : (
        <Button data-focus-home size="large" isBusy={isChecking} onClick={open}>
          SEND ANOTHER FILE
        </Button>
      )}
    </section>
  );
}

/** The rules refused the file; the message says why. */
class WrongFile extends Error {}

function wordsOf(error: Error): string | undefined {
  if (error instanceof UploadCancelled) return undefined;
  return error instanceof WrongFile ? error.message : refusalOf(error).text;
}
