// One text: what it is, the box to change it in, how it looks, and the key that saves it once it differs.
import { type FormEvent, useRef, useState } from "react";
import { apiError, call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { HistoryKey } from "../history/HistoryKey.tsx";
import { ifMatch } from "../resource/resourceConfig.ts";
import {
  isChanged,
  pathOf,
  rowsOfText,
  type SiteText,
  type TextDraft,
  titleOfText,
  voiceOf,
} from "./textDraft.ts";

/** What the fields of a saved version are called. */
const LABELS = { value: "Text" };

interface TextCardProps {
  text: SiteText;
  draft: TextDraft | undefined;
  onDraft: (draft: TextDraft | undefined) => void;
  /** Hears the text as the server has it now. */
  onRead: (text: SiteText) => void;
  /** Hears that too, and what was saved: more may have been typed since. */
  onSaved: (text: SiteText, sent: TextDraft) => void;
}

export function TextCard(props: TextCardProps) {
  const { text, draft, onDraft, onRead } = props;
  const { save, isSaving, problem } = useSaving(props);
  const { key } = text;
  const title = titleOfText(key);
  const rows = rowsOfText(key);
  const value = draft?.value ?? text.value;
  const hasChanged = isChanged(text, draft);
  const isStale = hasChanged && text.version > draft.version && !isSaving;
  const field = {
    label: title,
    error: problem,
    value,
    onChange: ({ target }: { target: { value: string } }) =>
      onDraft({ value: target.value, version: draft?.version ?? text.version }),
  };
  async function takeNewest(): Promise<void> {
    const newest = await readNewest(key);
    if (!newest) return;
    onDraft(undefined);
    onRead(newest);
  }
  async function keepDraft(): Promise<number | undefined> {
    const newest = await readNewest(key);
    if (newest) onRead(newest);
    return newest?.version;
  }
  return (
    <form
      aria-label={title}
      className="flex min-w-0 flex-col gap-4 px-gutter py-6"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(draft?.version ?? text.version);
      }}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h4 className="type-row">{title}</h4>
        <OutLink
          href={pathOf(key)}
          label={`${title} on the site: ${pathOf(key)}`}
          className="type-label min-h-6 text-dim text-link decoration-hairline hover:text-ink"
        >
          {pathOf(key)}
        </OutLink>
        <span className="type-label">
          <HistoryKey
            kind="text"
            rowKey={key}
            name={title}
            version={text.version}
            labels={LABELS}
            hasUnsaved={hasChanged}
            onRestored={() => void takeNewest()}
            onStale={keepDraft}
          />
        </span>
      </div>
      {text.description && <p className="-mt-2 text-dim">{text.description}</p>}
      {/* Whole rows from the start, however little there is to read. */}
      <div className="[&_label]:sr-only [&_textarea]:field-sizing-fixed">
        {rows > 1 ? <TextArea {...field} rows={rows} /> : <Field {...field} autoComplete="off" />}
      </div>
      <details className="text-dim">
        <summary className="type-label w-fit cursor-pointer uppercase hover:text-ink">
          Preview
        </summary>
        {value.trim() ? (
          <p
            className={`mt-4 max-h-80 overflow-y-auto whitespace-pre-line text-ink ${voiceOf(key)}`}
          >
            {value}
          </p>
        ) : (
          <p className="mt-4">Empty: the page shows its built-in text.</p>
        )}
      </details>
      {isStale && (
        <section aria-label={`Newest version of ${title}`} className="border border-signal p-4">
          <p role="alert">
            Somebody else has saved this since you began. What you typed is still here and not
            saved.
          </p>
          <p className="type-label mt-4 text-dim uppercase">Now</p>
          <p className="max-h-60 overflow-y-auto whitespace-pre-line">{text.value || "(empty)"}</p>
          <div className="type-label mt-4 flex flex-wrap gap-3">
            <Button variant="outline" onClick={() => save(text.version)}>
              Save Mine Over It
            </Button>
            <Button onClick={() => onDraft(undefined)}>Take The Newest</Button>
          </div>
        </section>
      )}
      {hasChanged && !isStale && (
        <div className="type-label flex flex-wrap gap-3">
          <Button type="submit" isBusy={isSaving} variant="main">
            {isSaving ? "Saving..." : "Save Changes"}
          </Button>
          <Button onClick={() => onDraft(undefined)}>Discard</Button>
        </div>
      )}
    </form>
  );
}

/** Saves what was typed onto a version, once at a time. */
function useSaving({ text, draft, onRead, onSaved }: TextCardProps) {
  const isBusy = useRef(false);
  // What is saved is drawn a moment later, and a second press may fall into that moment.
  const savedOnto = useRef(0);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function save(version: number): Promise<void> {
    if (!isChanged(text, draft) || isBusy.current || version <= savedOnto.current) return;
    const { value } = draft;
    const refused = withRules((rules) => rules.checkContentValue(value));
    setProblem(refused?.message);
    if (refused) return;
    isBusy.current = true;
    setSaving(true);
    try {
      const saved = await call("PUT", "/api/admin/content/{key}", {
        params: { path: { key: text.key }, header: ifMatch({ version }) },
        body: { value },
      });
      savedOnto.current = version;
      onSaved(saved, draft);
      toastSuccess("content_updated");
    } catch (error) {
      await handleError(error);
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  }

  async function handleError(error: unknown): Promise<void> {
    const { code, fields, said } = apiError(error);
    if (code === "stale_version") {
      const newest = await readNewest(text.key);
      // The card says so beside the newest version, and everything typed stays.
      if (newest) onRead(newest);
      return;
    }
    setProblem(fields.value ?? said);
    toastError("content_update_failed");
  }

  return { save: (version: number) => void save(version), isSaving, problem };
}

async function readNewest(key: string): Promise<SiteText | undefined> {
  const all = await call("GET", "/api/admin/content").catch(() => undefined);
  return all?.items.find((item) => item.key === key);
}
