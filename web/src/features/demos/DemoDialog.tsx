import "../../style/whole.css";
import { useQuery } from "@tanstack/react-query";
import { readQuery } from "../../api/queries.ts";
import { withRules } from "../../rules/rules.ts";
import { useRules } from "../../rules/useRules.ts";
import { Button } from "../../ui/Button.tsx";
import { EmailField, Field, TextArea } from "../../ui/Field.tsx";
import { FormProblem } from "../../ui/FormLine.tsx";
import { Modal } from "../../ui/Modal.tsx";
import { useToastsAhead } from "../../ui/toasts/Toasts.tsx";
import { useFileDrop } from "../../ui/useFileDrop.ts";
import { DropZone } from "./DropZone.tsx";
import { UploadProgress } from "./UploadProgress.tsx";
import { readDrop } from "./useChosenFile.ts";
import { useDemoForm } from "./useDemoForm.ts";
import { useUploadGuard } from "./useUploadGuard.tsx";

/** Closing keeps the draft for this tab until the demo is sent. */
export function DemoDialog({ onClose }: { onClose: () => void }) {
  const form = useDemoForm(onClose);
  const { upload, file } = form;
  const { isUploading, ask, progress, question } = useUploadGuard(
    upload,
    (_, to) => to.search.dialog !== "demo",
  );
  const isOver = useFileDrop({
    isTaking: !isUploading,
    onDrop: (dropped) => form.choose(readDrop(dropped)),
  });
  useRules();
  useToastsAhead();

  function close(): void {
    if (isUploading) ask();
    else onClose();
  }

  return (
    <Modal isWide title="SUBMIT A DEMO" onClose={close}>
      <form noValidate aria-label="Demo" onSubmit={form.onSubmit} onChange={form.keepDraft}>
        <fieldset
          disabled={isUploading}
          className="grid min-w-0 grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]"
        >
          <div className="flex flex-col gap-5 p-gutter">
            <Field
              label="Artist name"
              aria-required
              autoComplete="nickname"
              {...form.field("artist_name")}
            />
            <EmailField aria-required {...form.field("email")} />
            <TextArea
              label="Message (optional)"
              rows={5}
              className="flex-1 [&>textarea]:min-h-28 [&>textarea]:flex-1"
              {...form.field("message")}
            />
          </div>
          <div className="border-hairline p-gutter max-md:pt-0 md:border-l">
            {upload.underWay && file ? (
              <UploadProgress
                fileName={file.name}
                state={upload.underWay.state}
                pace={upload.underWay.pace}
                region={progress}
              />
            ) : (
              <DropZone
                file={file}
                line={form.fileLine}
                error={form.fileError}
                isOver={isOver}
                opener={form.fileButton}
                onChosen={form.choose}
                onRemove={form.removeFile}
              />
            )}
          </div>
        </fieldset>
        <div className="flex flex-col gap-5 border-hairline border-t p-gutter">
          <DemoPromise />
          <FormProblem isToasted>{form.problem}</FormProblem>
          {isUploading ? (
            <Button
              // Not the submit button's element, which would keep the focus.
              key="cancel"
              variant="destroy"
              size="large"
              className="md:self-end md:px-8"
              // The second press of a double click was meant for the submit button.
              onClick={({ detail }) => detail < 2 && upload.cancel()}
            >
              CANCEL UPLOAD
            </Button>
          ) : (
            <Button
              ref={form.submitButton}
              type="submit"
              // Also while the file is inspected.
              isBusy={form.isSending}
              variant="main"
              size="large"
              className="md:self-end md:px-8"
            >
              SUBMIT DEMO
            </Button>
          )}
        </div>
      </form>
      {question}
    </Modal>
  );
}

function DemoPromise() {
  useRules();
  const days = useQuery(readQuery("/api/demos/promise", {})).data?.days;
  const text =
    typeof days === "number" ? withRules((rules) => rules.demoPromiseText(days)) : undefined;
  return text ? <p className="text-dim">{text}</p> : null;
}
