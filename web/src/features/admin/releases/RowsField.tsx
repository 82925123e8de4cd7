// The tracks or credits of a release: rows that are added, moved and removed, by buttons and by keyboard.
import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { useFieldArray } from "react-hook-form";
import { RELEASE_ROWS_MAX } from "../../../rules/generated/constants.ts";
import { Button } from "../../../ui/Button.tsx";
import { isComposing } from "../../../ui/composing.ts";
import { Field } from "../../../ui/Field.tsx";
import { RowButtons } from "../editing/RowButtons.tsx";
import type { Editor } from "../editing/useEditor.ts";
import { pastedCredits, pastedTracks } from "./pastedRows.ts";
import { type Release, type ReleaseForm, releaseConfig } from "./releaseConfig.ts";

type Form = Editor<Release, ReleaseForm>["form"];
type List = "tracks" | "credits";
type Row<Name extends List> = ReleaseForm[Name][number];

interface RowField<Name extends List> {
  name: keyof Row<Name> & string;
  label: string;
  placeholder?: string;
  className: string;
}

interface RowsFieldProps<Name extends List> {
  form: Form;
  name: Name;
  label: string;
  rowName: string;
  hint: string;
  /** The first field accepts pasted lines. */
  fields: readonly RowField<Name>[];
  /** Takes the place of the row's number, which is its placeholder. */
  lead?: RowField<Name>;
  blank: Row<Name>;
  read: (pasted: string) => Row<Name>[];
}

function RowsField<Name extends List>(props: RowsFieldProps<Name>) {
  const { form, name, label, rowName, hint, fields, lead, blank, read } = props;
  const rows = useFieldArray({ control: form.control, name: name as List });
  const [announcement, announce] = useState("");
  const frame = useRef<HTMLFieldSetElement>(null);
  // The selector to focus after the next render.
  const next = useRef<string>(undefined);
  useLayoutEffect(() => {
    const found = next.current && frame.current?.querySelector<HTMLElement>(next.current);
    if (!found) return;
    next.current = undefined;
    found.focus();
  });
  const count = rows.fields.length;
  const isFull = count >= RELEASE_ROWS_MAX;
  const error = form.errorOf(name);
  const input = (index: number, field: string | undefined = fields[0]?.name) =>
    `[name="${name}.${index}.${field}"]`;
  const isBlank = (index: number) =>
    Object.values((form.getValues(name)[index] ?? {}) as Row<Name>).every((text) => !text.trim());

  function add(): void {
    if (isFull) return;
    rows.append(blank as never, { shouldFocus: false });
    next.current = input(count);
    announce(`${rowName} ${count + 1} added`);
  }

  function move(from: number, to: number, focus: (index: number) => string): void {
    if (to < 0 || to >= count) return;
    rows.move(from, to);
    next.current = focus(to);
    announce(`${rowName} ${from + 1} is now ${rowName.toLowerCase()} ${to + 1}`);
  }

  function remove(index: number): void {
    rows.remove(index);
    // The row that took its place, or the last one; without rows, the Add button.
    next.current = count > 1 ? input(Math.min(index, count - 2)) : "[data-add]";
    announce(`${rowName} ${index + 1} removed`);
  }

  function press(event: KeyboardEvent, index: number, field: string): void {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey && step) {
      event.preventDefault();
      move(index, index + step, (to) => input(to, field));
    } else if (event.key === "Enter" && !event.altKey) {
      // Enter moves to the next row instead of submitting the form.
      event.preventDefault();
      if (index < count - 1) {
        frame.current?.querySelector<HTMLElement>(input(index + 1))?.focus();
      } else if (!isBlank(index)) {
        add();
      }
    }
  }

  function paste(event: ClipboardEvent, index: number): void {
    const text = event.clipboardData.getData("text");
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    const pasted = read(text);
    // Pasted rows replace an empty one.
    const replaced = isBlank(index) ? 1 : 0;
    const at = index + 1 - replaced;
    const before = form.getValues(name) as Row<Name>[];
    rows.replace(before.toSpliced(at, replaced, ...pasted) as never);
    next.current = input(at + pasted.length - 1);
    announce(`${pasted.length} ${label.toLowerCase()} added`);
  }

  function draw(field: RowField<Name>, index: number, placeholder: string) {
    const path = `${name}.${index}.${field.name}` as "tracks.0.title";
    return (
      <Field
        key={field.name}
        label={`${rowName} ${index + 1} ${field.label}`}
        isLabelHidden
        autoComplete="off"
        placeholder={placeholder}
        className={field.className}
        {...form.field(path)}
        onKeyDown={(event) => press(event, index, field.name)}
        {...(field === fields[0] && {
          onPaste: (event: ClipboardEvent) => paste(event, index),
        })}
      />
    );
  }

  return (
    <fieldset ref={frame} className="min-w-0">
      <legend className="type-label mb-2 uppercase">{label}</legend>
      <p className="mb-3 text-dim">{hint}</p>
      <ol aria-label={label} className="flex flex-col gap-4">
        {rows.fields.map((row, index) => (
          <li
            key={row.id}
            className={`grid items-start gap-2 ${lead ? "grid-cols-[3.5rem_minmax(0,1fr)_6.5rem] sm:grid-cols-[3.5rem_minmax(0,1fr)_9.25rem]" : "grid-cols-[1.5rem_minmax(0,1fr)_6.5rem] sm:grid-cols-[1.5rem_minmax(0,1fr)_9.25rem]"}`}
          >
            {lead ? (
              draw(lead, index, padded(index))
            ) : (
              <span aria-hidden="true" className="type-label row-span-3 pt-3 text-signal">
                {padded(index)}
              </span>
            )}
            {fields.map((field) => draw(field, index, field.placeholder ?? field.label))}
            <RowButtons
              className="col-span-2 col-start-2 sm:col-span-1 sm:col-start-3"
              of={`${rowName.toLowerCase()} ${index + 1}`}
              isFirst={index === 0}
              isLast={index === count - 1}
              onMove={(step, key) =>
                move(index, index + step, (to) => `li:nth-child(${to + 1}) ${key}`)
              }
              onRemove={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <Button data-add className="type-label mt-3 min-h-11" isBusy={isFull} onClick={add}>
        Add {rowName}
      </Button>
      {isFull && !error && (
        <p className="mt-2 text-dim">
          A release can have at most {RELEASE_ROWS_MAX} {label.toLowerCase()}
        </p>
      )}
      {error && <p className="mt-2 text-signal">{error}</p>}
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}

function padded(index: number): string {
  return String(index + 1).padStart(2, "0");
}

const WHOLE = "col-span-2 col-start-2";
const LEFT = "col-start-2";

interface ReleaseRowsProps {
  form: Editor<Release, ReleaseForm>["form"];
}

export function Tracks({ form }: ReleaseRowsProps) {
  return (
    <RowsField
      form={form}
      name="tracks"
      label={releaseConfig.labels.tracks}
      rowName="Track"
      hint="Artist only where it differs. A position such as A1 replaces the number. Lines such as [A1] Title / Artist 6:12 can be pasted into a title."
      lead={{ name: "position", label: "Position", className: "row-span-3 uppercase" }}
      fields={[
        // Labels that differ from the release's own fields.
        {
          name: "title",
          label: "Name",
          placeholder: "Title",
          className: `${LEFT} max-sm:col-span-2`,
        },
        {
          name: "duration_seconds",
          label: "Length",
          placeholder: "6:12",
          className: "max-sm:row-start-2 max-sm:col-start-3",
        },
        {
          name: "artist",
          label: "By",
          placeholder: "Artist",
          className: `${LEFT} max-sm:row-start-2`,
        },
      ]}
      blank={{ position: "", title: "", artist: "", duration_seconds: "" }}
      read={pastedTracks}
    />
  );
}

export function Credits({ form }: ReleaseRowsProps) {
  return (
    <RowsField
      form={form}
      name="credits"
      label={releaseConfig.labels.credits}
      rowName="Credit"
      hint="Lines such as Role: Name can be pasted into a role."
      fields={[
        { name: "role", label: "Role", placeholder: "Mastering", className: WHOLE },
        { name: "name", label: "Name", className: `${LEFT} max-sm:col-span-2` },
      ]}
      blank={{ role: "", name: "" }}
      read={pastedCredits}
    />
  );
}
