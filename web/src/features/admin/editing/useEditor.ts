// A row in a form: sent once, onto the version that was read, and kept apart from newer versions.
import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import type { DefaultValues, FieldPath, FieldValues } from "react-hook-form";
import { apiError } from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";
import { readOnce } from "../../../api/readOnce.ts";
import { useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import { withRules } from "../../../rules/rules.ts";
import { toastChangeFailed } from "../../../session/wordsFor.ts";
import type { TitledCode } from "../../../ui/messages.ts";
import { toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { fieldText } from "../fieldText.ts";
import { putRow, readRowsAgain } from "../lists/useRows.ts";
import type { EditableResourceConfig, Versioned } from "../resource/resourceConfig.ts";

const DELETED = "Someone else has deleted this. What you typed stays here until you close it";

/** A form for `row`, or for a new one. If more was typed while it was sent, or a picture is on its way, the form stays open instead of calling `onSaved`. */
export function useEditor<Row extends Versioned, Form extends FieldValues, Body>(
  config: EditableResourceConfig<Row, Form, Body>,
  row: Row | null,
  onSaved: () => void,
) {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  const { path, messages } = config;
  const deleted = config.trash ? `${DELETED}; the trash may have the rest.` : `${DELETED}.`;
  const [base, setBase] = useState(row);
  /** The newest version when a save was refused, if it is known. */
  const [refused, setRefused] = useState<number>();
  // A ref, because `send` may run before a new base is rendered.
  const editedRow = useRef(row);
  const [names] = useState(createRequestNames);
  // A second press may come before the form closes.
  const isSaved = useRef(false);
  // Several picture fields may upload at once.
  const uploads = useRef(0);
  const [isUploading, setUploading] = useState(false);
  const onUploading = useCallback((isBegun: boolean) => {
    uploads.current += isBegun ? 1 : -1;
    setUploading(uploads.current > 0);
  }, []);
  const stored = queryOptions({
    queryKey: [`${path}/${base?.id}`],
    queryFn: base ? ({ signal }) => config.show(base.id, signal) : skipToken,
    gcTime: 0,
  });
  const { data: newest, error } = useQuery({
    ...stored,
    ...(base && { initialData: base }),
    staleTime: 0,
  });

  const form = useRulesForm<Form, Body>({
    check: config.check,
    unchecked: config.unchecked,
    ...(config.rowNames && { rowNames: config.rowNames }),
    blank: (row ? config.formOf(row) : config.blank) as Form & DefaultValues<Form>,
    async send(body) {
      if (isSaved.current) return;
      const edited = editedRow.current;
      try {
        const saved = await (edited
          ? config.change(edited, body)
          : config.add(body, names.of(body)));
        names.end();
        finish(saved, edited ? messages.updated : messages.created);
      } catch (error) {
        await handleError(error, edited !== null, body);
      }
    },
  });

  /** Everything sent is stored; what was typed since is an edit of it. */
  function finish(saved: Row, code: TitledCode): void {
    putRow(client, path, saved);
    readRowsAgain(client, path);
    toastSuccess(code);
    if (config.staysOpen || form.hasChangedSince() || uploads.current > 0) {
      form.resetSubmitted(config.formOf(saved));
      editedRow.current = saved;
      setBase(saved);
      return;
    }
    isSaved.current = true;
    // Another form may be open by then.
    if (isMounted()) onSaved();
  }

  /** True if saving the row unchanged would send the same; as typed, a price of 12 differs from its 12.00. */
  function isAsSent(row: Row, sent: Body): boolean {
    const theirs = config.formOf(row);
    const outcome = withRules((rules) => config.check(rules, theirs));
    const value = outcome ? outcome.value : config.unchecked(theirs);
    return JSON.stringify(value) === JSON.stringify(sent);
  }

  async function handleError(error: unknown, isUpdate: boolean, sent: Body): Promise<void> {
    const failure = apiError(error);
    const isStaleVersion = failure.code === "stale_version";
    if (isStaleVersion || (isUpdate && failure.isUnsure)) {
      const { data, error } = await readOnce(client, stored);
      const next = (editedRow.current?.version ?? 0) + 1;
      // The answer to this or an earlier attempt was lost, but it was saved.
      if (data?.version === next && isAsSent(data, sent)) return finish(data, messages.updated);
      // Otherwise the form shows the newest version, or that the row was deleted.
      if (isStaleVersion && (!error || apiError(error).status === 404)) return;
    }
    if (form.showRefusal(failure)) return;
    toastChangeFailed(error, isUpdate ? messages.updateFailed : messages.createFailed);
    if (failure.isUnsure) readRowsAgain(client, path);
    const isRefused = isUpdate && failure.isRefusal;
    const read = isRefused ? await readOnce(client, stored) : undefined;
    setRefused(read?.data?.version);
    // `gone` says that the row is deleted, until it is back.
    if (!isUpdate || failure.status !== 404) form.setProblem(failure.said);
  }

  // The next version may be one that can be saved onto.
  if (refused !== undefined && newest && newest.version !== refused) {
    setRefused(undefined);
    form.setProblem(undefined);
  }

  const opened = base ? config.formOf(base) : config.blank;
  const hasChanged = (field: FieldPath<Form>) =>
    fieldText(form.valueOf(field)) !== fieldText(opened[field]);

  const isStale =
    newest !== undefined && base !== null && newest.version > base.version && !form.isSending;
  return {
    form,
    /** The row the form was opened with; null for a new one. */
    base,
    /** The row as it was last read; undefined for a new one. */
    newest,
    /** A version of someone else, newer than the form's. */
    newer: isStale ? newest : undefined,
    /** Set once the row was deleted. */
    gone: base !== null && error && apiError(error).status === 404 ? deleted : undefined,
    hasChanged,
    /** Saving before an upload has ended would leave the picture out. */
    isUploading,
    onUploading,
    /** True if closing would lose something. */
    isUnsaved: form.isDirty || isUploading,
    /** Makes the form an edit of this version; changed fields are kept. */
    moveOnto(version: Row) {
      const fields = Object.keys(config.labels) as FieldPath<Form>[];
      form.resetExcept(config.formOf(version), fields.filter(hasChanged));
      editedRow.current = version;
      setBase(version);
    },
    /** Shows the newest version in the form, which keeps its own; resolves to the version's number. */
    async readNewest(): Promise<number | undefined> {
      const { data } = await readOnce(client, stored);
      return data?.version;
    },
    /** Replaces the form's values by the newest version, in the lists too. */
    async takeNewest(): Promise<void> {
      const { data } = await readOnce(client, stored);
      if (!data) return;
      editedRow.current = data;
      setBase(data);
      form.reset(config.formOf(data));
      putRow(client, path, data);
      readRowsAgain(client, path);
    },
    /** Discards what was typed. */
    take(version: Row) {
      editedRow.current = version;
      setBase(version);
      form.reset(config.formOf(version));
    },
  };
}

export type Editor<Row extends Versioned, Form extends FieldValues> = ReturnType<
  typeof useEditor<Row, Form, unknown>
>;
