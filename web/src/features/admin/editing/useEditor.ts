// A row in a form: sent once, onto the version it was read in, and kept apart from what others make of it meanwhile.
import { queryOptions, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { DefaultValues, FieldPath, FieldValues } from "react-hook-form";
import { apiError } from "../../../api/client.ts";
import { createRequestNames } from "../../../api/idempotencyKey.ts";
import { readOnce } from "../../../api/readOnce.ts";
import { useRulesForm } from "../../../rules/forms/useRulesForm.ts";
import type { TitledCode } from "../../../ui/messages.ts";
import { toastError, toastSuccess } from "../../../ui/toasts/toast.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
import { putRow, readRowsAgain } from "../lists/useRows.ts";
import type { EditableResourceConfig, Versioned } from "../resource/resourceConfig.ts";
import { said } from "../said.ts";

/** Said where the row is not there any more. */
const DELETED =
  "Somebody else has deleted this meanwhile. What you typed stays here until you close it; the trash may have the rest.";

/**
 * A form over `row`, or over a new one. `onSaved` hears that the server has all of it; while more has been typed since it was
 * sent, the form stays, as an edit of what was saved.
 */
export function useEditor<Row extends Versioned, Form extends FieldValues, Body>(
  config: EditableResourceConfig<Row, Form, Body>,
  row: Row | null,
  onSaved: () => void,
) {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  const { path, messages } = config;
  const [base, setBase] = useState(row);
  // Read by `send`, which may run before the state above is drawn.
  const onto = useRef(row);
  const [names] = useState(createRequestNames);
  // The form goes a moment after it is saved, and a second press may fall into that moment.
  const isSaved = useRef(false);
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
      const edited = onto.current;
      try {
        const saved = await (edited
          ? config.change(edited, body)
          : config.add(body, names.of(body)));
        names.end();
        finish(saved, edited ? messages.updated : messages.created);
      } catch (error) {
        await handleError(error, edited !== null);
      }
    },
  });

  /** The server has all that was sent; what was typed meanwhile is an edit of it. */
  function finish(saved: Row, told: TitledCode): void {
    putRow(client, path, saved);
    readRowsAgain(client, path);
    toastSuccess(told);
    if (form.hasMore()) {
      form.reopenSent(config.formOf(saved));
      onto.current = saved;
      setBase(saved);
      return;
    }
    isSaved.current = true;
    // What stands in its place by then is another form.
    if (isMounted()) onSaved();
  }

  /** Whether a row says what the form does. */
  function isAsTyped(row: Row): boolean {
    const theirs = config.formOf(row);
    const fields = Object.keys(config.labels) as FieldPath<Form>[];
    return fields.every((field) => said(form.valueOf(field)) === said(theirs[field]));
  }

  async function handleError(error: unknown, isUpdate: boolean): Promise<void> {
    const failure = apiError(error);
    if (failure.code === "stale_version") {
      const { data, error } = await readOnce(client, stored);
      const next = (onto.current?.version ?? 0) + 1;
      // The answer to an earlier try got lost: what was sent is what is stored.
      if (data?.version === next && isAsTyped(data)) finish(data, messages.updated);
      // Else the form shows the newest version, or that the row was deleted, and keeps everything typed.
      if (!error || apiError(error).status === 404) return;
    }
    if (form.showRefusal(failure)) return;
    // Without words of its own the toast says everything.
    form.setProblem(isUpdate && failure.status === 404 ? DELETED : failure.said);
    toastError(isUpdate ? messages.updateFailed : messages.createFailed);
  }

  const opened = base ? config.formOf(base) : config.blank;
  const hasChanged = (field: FieldPath<Form>) => said(form.valueOf(field)) !== said(opened[field]);

  const isStale =
    newest !== undefined && base !== null && newest.version > base.version && !form.isSending;
  return {
    form,
    /** The row as the form was opened with it; null for a new one. */
    base,
    /** The row as it was read last, whatever the form makes of it; undefined for a new one. */
    newest,
    /** Somebody else's version, newer than the one in the form. */
    newer: isStale ? newest : undefined,
    /** Said where the row is not there any more, which a save would be refused for. */
    gone: base !== null && error && apiError(error).status === 404 ? DELETED : undefined,
    /** Whether a field says something else than it was opened with. */
    hasChanged,
    /** From here on the form is an edit of this version: what was changed in it stays, the rest is as the version has it. */
    moveOnto(version: Row) {
      const fields = Object.keys(config.labels) as FieldPath<Form>[];
      form.reopenKeeping(config.formOf(version), fields.filter(hasChanged));
      onto.current = version;
      setBase(version);
    },
    /** What is stored now is told of in the form, which stays as it is; answers its version. */
    async readNewest(): Promise<number | undefined> {
      const { data } = await readOnce(client, stored);
      return data?.version;
    },
    /** The same with what is stored now, which every list shows too. */
    async takeNewest(): Promise<void> {
      const { data } = await readOnce(client, stored);
      if (!data) return;
      onto.current = data;
      setBase(data);
      form.reopen(config.formOf(data));
      putRow(client, path, data);
      readRowsAgain(client, path);
    },
    /** Throws away what was typed for what is stored. */
    take(version: Row) {
      onto.current = version;
      setBase(version);
      form.reopen(config.formOf(version));
    },
  };
}

export type Editor<Row extends Versioned, Form extends FieldValues> = ReturnType<
  typeof useEditor<Row, Form, unknown>
>;
