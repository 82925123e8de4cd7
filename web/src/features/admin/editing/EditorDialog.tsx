// The dialog around an editor: problems, a newer version, and the buttons.
import type { MouseEvent, ReactNode } from "react";
import type { FieldPath, FieldPathValue, FieldValues } from "react-hook-form";
import { useLabelZone } from "../../../api/labelZone.ts";
import { Button } from "../../../ui/Button.tsx";
import { ProblemsTogether } from "../../../ui/Field.tsx";
import { Modal } from "../../../ui/Modal.tsx";
import { useUnsaved } from "../../../ui/unsaved/useUnsaved.tsx";
import { fieldText } from "../fieldText.ts";
import { HistoryButton } from "../history/HistoryDialog.tsx";
import type { ResourceConfig, Versioned } from "../resource/resourceConfig.ts";
import type { Editor } from "./useEditor.ts";

interface EditorDialogProps<Row extends Versioned, Form extends FieldValues> {
  title: string;
  config: ResourceConfig<Row, Form>;
  editor: Editor<Row, Form>;
  onClose: () => void;
  /** Beside Save and Cancel. */
  buttons?: ReactNode;
  /** As wide as the window. */
  isFull?: boolean;
  /** As the dialog's. */
  opener?: Element | null | undefined;
  children: ReactNode;
}

export function EditorDialog<Row extends Versioned, Form extends FieldValues>({
  title,
  config,
  editor,
  onClose,
  buttons,
  isFull = false,
  opener,
  children,
}: EditorDialogProps<Row, Form>) {
  const { form, newer, base, isUploading, isUnsaved } = editor;
  const problem = form.problem ?? editor.gone;
  const history = base && config.versions && (
    <HistoryButton
      kind={config.versions}
      rowKey={base.id}
      name={config.nameOf(base)}
      version={(newer ?? base).version}
      labels={config.labels}
      hasUnsaved={isUnsaved}
      onRestored={editor.takeNewest}
      onStale={editor.readNewest}
    />
  );
  const { askBefore, question } = useUnsaved(isUnsaved);
  const close = () => askBefore(onClose);
  const isTall = newer !== undefined || problem !== undefined || form.fieldProblems.length > 0;
  return (
    <Modal title={title} onClose={close} isWide isFull={isFull} opener={opener}>
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
            {...(isTall && { tabIndex: 0, role: "group", "aria-label": "Messages" })}
            className="flex max-h-[30dvh] flex-col overflow-y-auto [&>*]:mb-4"
          >
            <Problems all={form.fieldProblems} whole={problem} />
            {newer && <StaleNotice config={config} editor={editor} newer={newer} />}
          </div>
          <div className="type-label flex flex-wrap gap-3">
            <Button
              data-focus-home
              type="submit"
              isBusy={isUploading || form.isSending}
              variant="main"
            >
              {isUploading ? "Uploading..." : form.isSending ? "Saving..." : "Save"}
            </Button>
            <Button onClick={close}>Cancel</Button>
            {buttons}
            {history}
          </div>
        </footer>
      </form>
      {question}
    </Modal>
  );
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

interface NewestVersionProps {
  /** Needed where the page has several. */
  name?: string;
  since: "opened it" | "began";
  isUploading?: boolean;
  onSaveMine: (event: MouseEvent) => void;
  onTake: () => void;
  children: ReactNode;
}

export function NewestVersion({
  name,
  since,
  isUploading = false,
  onSaveMine,
  onTake,
  children,
}: NewestVersionProps) {
  return (
    <section
      aria-label={name ? `Newest version of ${name}` : "Newest version"}
      tabIndex={-1}
      data-focus-home
      className="border border-signal p-4"
    >
      <p role="alert">
        Someone else has saved this since you {since}. What you typed is still here and not saved.
      </p>
      {children}
      <div className="type-label mt-4 flex flex-wrap gap-3">
        <Button variant="outline" isBusy={isUploading} onClick={onSaveMine}>
          {isUploading ? "Uploading..." : "Save Mine Over It"}
        </Button>
        <Button onClick={onTake}>Load Newest Version</Button>
      </div>
    </section>
  );
}

interface StaleNoticeProps<Row extends Versioned, Form extends FieldValues> {
  config: ResourceConfig<Row, Form>;
  editor: Editor<Row, Form>;
  newer: Row;
}

function StaleNotice<Row extends Versioned, Form extends FieldValues>({
  config,
  editor,
  newer,
}: StaleNoticeProps<Row, Form>) {
  const zone = useLabelZone();
  const theirs = config.formOf(newer);
  const opened = editor.base ? config.formOf(editor.base) : config.blank;
  const words = (field: FieldPath<Form>) =>
    config.readable?.[field as keyof Form & string]?.(newer, zone) ?? fieldText(theirs[field]);
  const fields = Object.keys(config.labels) as FieldPath<Form>[];
  const changed = fields.filter((field) => fieldText(theirs[field]) !== fieldText(opened[field]));
  const differs = (field: FieldPath<Form>) =>
    fieldText(editor.form.valueOf(field)) !== fieldText(theirs[field]);
  const differing = changed.filter(differs);
  return (
    <NewestVersion
      since="opened it"
      isUploading={editor.isUploading}
      onSaveMine={(event) => {
        // The first call unmounts this notice, and a removed button submits nothing by itself.
        editor.moveOnto(newer);
        editor.form.onSubmit(event);
      }}
      onTake={() => editor.take(newer)}
    >
      {differing.length > 0 ? (
        <dl className="mt-4 grid gap-3">
          {differing.map((field) => (
            <div key={field}>
              <dt className="type-label text-dim uppercase">{config.labels[field]} now</dt>
              <dd className="flex items-start justify-between gap-4">
                <span className="min-w-0 whitespace-pre-line">{words(field)}</span>
                {editor.hasChanged(field) && (
                  <Button
                    className="flex-none"
                    aria-label={`Use this: ${config.labels[field]}`}
                    onClick={() =>
                      editor.form.fill(
                        field,
                        theirs[field] as FieldPathValue<Form, FieldPath<Form>>,
                      )
                    }
                  >
                    Use This
                  </Button>
                )}
              </dd>
              {!editor.hasChanged(field) && (
                <dd className="text-dim">You have not changed this: it stays.</dd>
              )}
            </div>
          ))}
        </dl>
      ) : (
        <p className="mt-4 text-dim">
          {changed.length === 0
            ? "Their change doesn't affect these fields."
            : fields.some(differs)
              ? "Their change is in your form too. What else you changed is not saved."
              : "Both versions are identical."}
        </p>
      )}
    </NewestVersion>
  );
}
