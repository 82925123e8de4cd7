// The dialog around an editor: problems, a newer version, and the buttons.
import type { ReactNode } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "../../../ui/Button.tsx";
import { ProblemsTogether } from "../../../ui/Field.tsx";
import { Modal } from "../../../ui/Modal.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { HistoryButton } from "../history/HistoryDialog.tsx";
import type { ResourceConfig, Versioned } from "../resource/resourceConfig.ts";
import { StaleNotice } from "./StaleNotice.tsx";
import type { Editor } from "./useEditor.ts";

interface EditorDialogProps<Row extends Versioned, Form extends FieldValues> {
  title: string;
  config: ResourceConfig<Row, Form>;
  editor: Editor<Row, Form>;
  /** Saving before an upload has ended would leave the picture out. */
  isUploading: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function EditorDialog<Row extends Versioned, Form extends FieldValues>({
  title,
  config,
  editor,
  isUploading,
  onClose,
  children,
}: EditorDialogProps<Row, Form>) {
  const { form, newer, base } = editor;
  const problem = form.problem ?? editor.gone;
  const history = base && (
    <HistoryButton
      kind={config.versions}
      rowKey={base.id}
      name={nameOf(base)}
      version={(newer ?? base).version}
      labels={config.labels}
      hasUnsaved={form.isDirty || isUploading}
      onRestored={editor.takeNewest}
      onStale={editor.readNewest}
    />
  );
  const { askBefore, question } = useUnsaved(form.isDirty || isUploading);
  const close = () => askBefore(onClose);
  const isTall = newer !== undefined || problem !== undefined || form.fieldProblems.length > 0;
  return (
    <Modal title={title} onClose={close} isWide>
      <form noValidate aria-label={title} onSubmit={form.onSubmit}>
        {/* Keeps a focused field above the sticky footer. */}
        <div
          className={`grid grid-cols-[minmax(0,1fr)] gap-5 p-gutter md:grid-cols-2 md:items-start md:gap-x-8 [&_:is(input,textarea,button)]:scroll-mt-4 ${
            isTall
              ? "[&_:is(input,textarea,button)]:scroll-mb-[45dvh]"
              : "[&_:is(input,textarea,button)]:scroll-mb-28"
          }`}
        >
          <ProblemsTogether value={true}>{children}</ProblemsTogether>
        </div>
        <footer className="sticky -bottom-gutter border-hairline border-t bg-ground p-gutter">
          {/* The buttons stay in the window however long the messages are. */}
          <div
            // Scrollable by keyboard.
            tabIndex={isTall ? 0 : undefined}
            className="flex max-h-[30dvh] flex-col overflow-y-auto [&>*]:mb-4"
          >
            {newer && <StaleNotice config={config} editor={editor} newer={newer} />}
            <Problems all={form.fieldProblems} whole={problem} />
          </div>
          <div className="type-label flex flex-wrap gap-3">
            <Button type="submit" isBusy={isUploading || form.isSending} variant="main">
              {isUploading ? "Uploading..." : form.isSending ? "Saving..." : "Save"}
            </Button>
            <Button onClick={close}>Cancel</Button>
            {history}
          </div>
        </footer>
      </form>
      {question}
    </Modal>
  );
}

function nameOf(row: object): string {
  const { name, title } = row as { name?: string; title?: string };
  return name ?? title ?? "";
}

/** All problems together; each field also shows its own. */
function Problems({ all, whole }: { all: readonly string[]; whole: string | undefined }) {
  const messages = whole === undefined ? all : [whole, ...all];
  return (
    <div role="alert" className="empty:hidden">
      {messages.length > 0 && (
        <ul aria-label="What is wrong" className="border border-signal p-3 text-signal">
          {messages.map((message) => (
            <li key={message} className="flex items-baseline gap-3">
              <span aria-hidden="true" className="block-cursor" />
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
