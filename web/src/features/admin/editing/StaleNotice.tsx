// Shown in a form once someone else has saved: their version, and both ways on.
import type { MouseEvent, ReactNode } from "react";
import type { FieldPath, FieldPathValue, FieldValues } from "react-hook-form";
import { Button } from "../../../ui/Button.tsx";
import { fieldText } from "../fieldText.ts";
import type { ResourceConfig, Versioned } from "../resource/resourceConfig.ts";
import type { Editor } from "./useEditor.ts";

interface NewestVersionProps {
  /** Needed where the page has several. */
  name?: string;
  since: "opened it" | "began";
  onSaveMine: (event: MouseEvent) => void;
  onTake: () => void;
  children: ReactNode;
}

export function NewestVersion({ name, since, onSaveMine, onTake, children }: NewestVersionProps) {
  return (
    <section
      aria-label={name ? `Newest version of ${name}` : "Newest version"}
      className="border border-signal p-4"
    >
      <p role="alert">
        Someone else has saved this since you {since}. What you typed is still here and not saved.
      </p>
      {children}
      <div className="type-label mt-4 flex flex-wrap gap-3">
        <Button variant="outline" onClick={onSaveMine}>
          Save Mine Over It
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

export function StaleNotice<Row extends Versioned, Form extends FieldValues>({
  config,
  editor,
  newer,
}: StaleNoticeProps<Row, Form>) {
  const theirs = config.formOf(newer);
  const opened = editor.base ? config.formOf(editor.base) : config.blank;
  const words = (field: FieldPath<Form>) =>
    config.readable?.[field as keyof Form & string]?.(newer) ?? fieldText(theirs[field]);
  const fields = Object.keys(config.labels) as FieldPath<Form>[];
  const changed = fields.filter((field) => fieldText(theirs[field]) !== fieldText(opened[field]));
  const differing = changed.filter(
    (field) => fieldText(editor.form.valueOf(field)) !== fieldText(theirs[field]),
  );
  return (
    <NewestVersion
      since="opened it"
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
          {changed.length > 0
            ? "Both versions are identical."
            : "Their change doesn't affect these fields."}
        </p>
      )}
    </NewestVersion>
  );
}
