// One text: what it is, the box to change it in, how it looks, and the key that saves it once it differs.
import { type FormEvent, useState } from "react";
import { call } from "../../../api/client.ts";
import { withRules } from "../../../rules/rules.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field, TextArea } from "../../../ui/Field.tsx";
import { OutLink } from "../../../ui/OutLink.tsx";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useFocusKept } from "../../../ui/useFocusKept.ts";
import { NewestVersion } from "../editing/NewestVersion.tsx";
import { useDraftSaving } from "../editing/useDraftSaving.ts";
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
  const { key } = text;
  const title = titleOfText(key);
  const rows = rowsOfText(key);
  const value = draft?.value ?? text.value;
  const hasChanged = isChanged(text, draft);
  const { isSaving, isStale, problem, forgetProblem, save, saveOver } = useSaving(props);
  // The keys go once there is nothing left to save.
  const { frame, refuge } = useFocusKept();
  const field = {
    ref: refuge,
    label: title,
    error: problem,
    value,
    // What is taken back by hand is no draft, which others' saves would have to ask about.
    onChange: ({ target: { value: typed } }: { target: { value: string } }) =>
      write(
        typed === text.value
          ? undefined
          : { value: typed, version: draft?.version ?? text.version },
      ),
  };
  /** What was wrong with the draft before is not said of another one. */
  function write(next: TextDraft | undefined): void {
    forgetProblem();
    onDraft(next);
  }
  async function takeNewest(): Promise<void> {
    const newest = await readNewest(key);
    if (!newest) return;
    write(undefined);
    onRead(newest);
  }
  async function keepDraft(): Promise<number | undefined> {
    const newest = await readNewest(key);
    if (newest) onRead(newest);
    return newest?.version;
  }
  return (
    <form
      ref={frame}
      aria-label={title}
      className="flex min-w-0 flex-col gap-4 px-gutter py-6"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-4">
          <h4 className="type-row">{title}</h4>
          <OutLink
            href={pathOf(key)}
            label={`${title} on the site: ${pathOf(key)}`}
            className="type-label min-h-6 min-w-6 text-dim text-link decoration-hairline hover:text-ink"
          >
            {pathOf(key)}
          </OutLink>
        </div>
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
        <NewestVersion
          name={title}
          since="began"
          onSaveMine={saveOver}
          onTake={() => write(undefined)}
        >
          <p className="type-label mt-4 text-dim uppercase">Now</p>
          <p className="max-h-60 overflow-y-auto whitespace-pre-line">{text.value || "(empty)"}</p>
        </NewestVersion>
      )}
      {hasChanged && !isStale && (
        <div className="type-label flex flex-wrap gap-3">
          <Button type="submit" isBusy={isSaving} variant="main">
            {isSaving ? "Saving..." : "Save Changes"}
          </Button>
          <Button onClick={() => write(undefined)}>Discard</Button>
        </div>
      )}
    </form>
  );
}

/** Saves what was typed, and says what is wrong with it. */
function useSaving({ text, draft, onRead, onSaved }: TextCardProps) {
  const [problem, setProblem] = useState<string>();
  const saving = useDraftSaving({
    stored: text,
    changed: isChanged(text, draft) ? draft : undefined,
    check({ value }) {
      const refused = withRules((rules) => rules.checkContentValue(value));
      setProblem(refused?.message);
      return !refused;
    },
    send: ({ value }, version) =>
      call("PUT", "/api/admin/content/{key}", {
        params: { path: { key: text.key }, header: ifMatch({ version }) },
        body: { value },
      }),
    onSaved(saved, sent) {
      onSaved(saved, sent);
      toastSuccess("content_updated");
    },
    async readNewest() {
      const newest = await readNewest(text.key);
      if (newest) onRead(newest);
      return newest !== undefined;
    },
    onFailed({ fields, said }) {
      setProblem(fields.value ?? said);
      toastError("content_update_failed");
    },
  });
  return { ...saving, problem, forgetProblem: () => setProblem(undefined) };
}

async function readNewest(key: string): Promise<SiteText | undefined> {
  const all = await call("GET", "/api/admin/content").catch(() => undefined);
  return all?.items.find((item) => item.key === key);
}
