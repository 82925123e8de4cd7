// The parts of a letter: added, moved and removed, by buttons and by keyboard.
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { useFieldArray } from "react-hook-form";
import type { RulesForm } from "../../../../rules/forms/useRulesForm.ts";
import { LETTER_PARTS_MAX } from "../../../../rules/generated/constants.ts";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { Field, TextArea } from "../../../../ui/Field.tsx";
import { ImageField, UrlField } from "../../editing/ImageField.tsx";
import { RowButtons } from "../../editing/RowButtons.tsx";
import {
  aPart,
  type LetterForm,
  PART_NAMES,
  type PartInputs,
  type PartKind,
} from "./letterConfig.ts";
import { ReleaseField } from "./ReleaseChoice.tsx";

const KINDS = Object.keys(PART_NAMES) as PartKind[];

const MARKUP = "A blank line begins a paragraph. **bold** and [words](https://…) are shown so.";

type Form = RulesForm<LetterForm>;

interface PartsFieldProps {
  form: Form;
  onUploading: (isUploading: boolean) => void;
}

export function PartsField({ form, onUploading }: PartsFieldProps) {
  const parts = useFieldArray({ control: form.control, name: "parts" });
  const [announcement, announce] = useState("");
  const [removed, setRemoved] = useState<{ at: number; part: PartInputs }>();
  const frame = useRef<HTMLFieldSetElement>(null);
  // The selector to focus after the next render.
  const next = useRef<string>(undefined);
  useLayoutEffect(() => {
    const found = next.current && frame.current?.querySelector<HTMLElement>(next.current);
    if (!found) return;
    next.current = undefined;
    found.focus();
  });
  const count = parts.fields.length;
  const isFull = count >= LETTER_PARTS_MAX;
  const error = form.errorOf("parts");
  const place = (at: number) => `[data-part="${at}"]`;

  function insert(at: number, part: PartInputs, words: string): void {
    setRemoved(undefined);
    parts.insert(at, part, { shouldFocus: false });
    next.current = place(at);
    announce(`${PART_NAMES[part.kind]} ${words}, part ${at + 1} of ${count + 1}`);
  }

  function move(from: number, to: number, focus = place(to)): void {
    if (to < 0 || to >= count) return;
    setRemoved(undefined);
    parts.move(from, to);
    next.current = focus;
    announce(`Part ${from + 1} is now part ${to + 1}`);
  }

  function remove(at: number): void {
    const part = form.getValues("parts")[at];
    parts.remove(at);
    if (part) setRemoved({ at, part });
    next.current = "[data-undo]";
  }

  function press(event: KeyboardEvent, at: number): void {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !step) return;
    event.preventDefault();
    move(at, at + step);
  }

  return (
    <fieldset ref={frame} className="min-w-0">
      <legend className="type-label mb-2 uppercase">Parts</legend>
      <p className="mb-3 text-dim">Alt with an arrow key moves the part that has the focus.</p>
      {count === 0 && <p className="mb-3">No part yet. Begin with a heading or a text.</p>}
      <ol aria-label="Parts" className="flex flex-col gap-4">
        {parts.fields.map((part, at) => (
          <li key={part.id} className="min-w-0">
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset in a list would repeat its legend */}
            <div
              role="group"
              aria-label={`Part ${at + 1}: ${PART_NAMES[part.kind]}`}
              data-part={at}
              tabIndex={-1}
              onKeyDown={(event) => press(event, at)}
              className="flex min-w-0 flex-col gap-4 border border-hairline p-3"
            >
              <div className="flex flex-wrap items-center justify-between gap-2">
                <h3 className="type-label uppercase">
                  <span className="text-signal tabular-nums">
                    {String(at + 1).padStart(2, "0")}
                  </span>{" "}
                  {PART_NAMES[part.kind]}
                </h3>
                <RowButtons
                  of={`part ${at + 1}`}
                  isFirst={at === 0}
                  isLast={at === count - 1}
                  onMove={(step, key) =>
                    move(at, at + step, `li:nth-child(${at + step + 1}) ${key}`)
                  }
                  onRemove={() => remove(at)}
                />
              </div>
              <PartFields form={form} at={at} kind={part.kind} onUploading={onUploading} />
            </div>
          </li>
        ))}
      </ol>
      {removed && (
        <p role="status" className="mt-3 flex flex-wrap items-center gap-3">
          {PART_NAMES[removed.part.kind]} removed.
          <Button
            data-undo
            onClick={() => insert(Math.min(removed.at, count), removed.part, "is back")}
          >
            Undo
          </Button>
        </p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its legend */}
      <div role="group" aria-label="Add a part" className="type-label mt-3 flex flex-wrap gap-2">
        {KINDS.map((kind) => (
          <Button
            key={kind}
            isBusy={isFull}
            className="min-h-11"
            onClick={() => insert(count, aPart(kind), "added")}
          >
            <span className="sr-only">Add </span>+ {PART_NAMES[kind]}
          </Button>
        ))}
      </div>
      {isFull && !error && (
        <p className="mt-2 text-dim">A letter can have at most {LETTER_PARTS_MAX} parts.</p>
      )}
      {error && <p className="mt-2 text-signal">{error}</p>}
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}

interface PartFieldsProps {
  form: Form;
  at: number;
  kind: PartKind;
  onUploading: (isUploading: boolean) => void;
}

function PartFields({ form, at, kind, onUploading }: PartFieldsProps) {
  const name = <Part extends keyof PartInputs>(field: Part) => `parts.${at}.${field}` as const;
  const link = (label: string) => <UrlField form={form} name={name("link")} label={label} />;
  switch (kind) {
    case "heading":
      return <Field label="Heading" autoComplete="off" {...form.field(name("text"))} />;
    case "text":
      return <TextArea label="Text" hint={MARKUP} {...form.field(name("text"))} />;
    case "button":
      return (
        <>
          <Field label="Words" autoComplete="off" {...form.field(name("text"))} />
          {link("Link")}
        </>
      );
    case "picture":
      return (
        <>
          <ImageField
            form={form}
            name={name("picture")}
            label="Picture"
            folder="uploads"
            messages={{ uploaded: "media_uploaded", failed: "media_upload_failed" }}
            seed={`part ${at}`}
            onUploading={onUploading}
          />
          <Field
            label="Alternative Text"
            autoComplete="off"
            hint="What the picture shows. Many mail programs show this text first."
            {...form.field(name("alt"))}
          />
          {link("Link of the Picture")}
        </>
      );
    case "release":
      return (
        <>
          <ReleaseField
            id={form.valueOf(name("release_id"))}
            error={form.errorOf(name("release_id"))}
            onChoose={(id) => form.fill(name("release_id"), id)}
          />
          <TextArea label="Words About It" hint={MARKUP} {...form.field(name("text"))} />
        </>
      );
    case "divider":
      return <hr className="border-hairline" />;
  }
}
