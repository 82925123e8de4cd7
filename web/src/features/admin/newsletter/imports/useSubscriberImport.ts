// An import of subscribers: checked after every choice, sent once, and undone.
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, type Schemas, uploadTarget } from "../../../../api/client.ts";
import { readQuery } from "../../../../api/queries.ts";
import { useSingleMutation } from "../../../../api/useSingleMutation.ts";
import { tableProblem, wordsOfTable } from "../../imports/tableProblem.ts";
import { readRowsAgain } from "../../lists/useRows.ts";
import { uploadFile } from "../../uploads/useUpload.ts";
import { consentQuery } from "../Consent.tsx";

export type SubscriberCheck = Schemas["SubscriberImportCheck"];
export type SubscriberRow = Schemas["SubscriberRow"];
export type SubscriberImport = Schemas["SubscriberImport"];
export type UndoneSubscribers = Schemas["UndoneSubscribers"];

/** The field of each column; undefined for the server's own reading of the headers. */
type Columns = readonly (string | null)[] | undefined;

export const subscriberImportsQuery = readQuery("/api/admin/newsletter/imports", {});

export function useSubscriberImport() {
  const client = useQueryClient();
  /** Numbered, because two files of one name are different lists. */
  const [chosen, setChosen] = useState<{ file: File; number: number }>();
  const [columns, setColumns] = useState<Columns>();
  const file = chosen?.file;
  const check = useQuery({
    queryKey: ["subscriber import", chosen?.number, columns],
    queryFn: file
      ? ({ signal }) =>
          checkList(file, columns, signal).catch(async (failure: unknown) => {
            throw signal.aborted ? failure : await tableProblem(file, failure);
          })
      : skipToken,
    // The last check stays until the next one is loaded.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

  function readAgain(): void {
    readRowsAgain(client, "/api/admin/newsletter");
    void client.invalidateQueries({ queryKey: consentQuery.queryKey });
    void client.invalidateQueries({ queryKey: subscriberImportsQuery.queryKey });
  }

  const importing = useSingleMutation({
    mutationFn: (sent: File) => importList(sent, columns),
    onSettled: readAgain,
  });
  const undoing = useSingleMutation({ mutationFn: undoImport, onSettled: readAgain });

  return {
    file,
    columns,
    check: check.data,
    /** True while the check is loaded, or shows other columns. */
    isChecking: check.isFetching,
    problem: wordsOfTable(check.error),
    take(next: File): void {
      setChosen({ file: next, number: (chosen?.number ?? 0) + 1 });
      setColumns(undefined);
      importing.reset();
    },
    chooseColumns(next: Columns): void {
      setColumns(next);
      importing.reset();
    },
    isImporting: importing.isPending,
    imported: importing.data,
    importProblem: wordsOfTable(importing.error),
    importNow: () => file && importing.mutate(file),
    isUndoing: undoing.isPending,
    undone: undoing.data,
    undoProblem: wordsOfTable(undoing.error),
    undo: (id: string) => undoing.mutate(id),
  };
}

export type SubscriberImporting = ReturnType<typeof useSubscriberImport>;

const unwatched = () => undefined;

const textsOf = (columns: Columns) => ({ columns: columns ? JSON.stringify(columns) : "" });

function checkList(file: File, columns: Columns, signal: AbortSignal) {
  const to = uploadTarget("POST", "/api/admin/newsletter/imports/check", {});
  return uploadFile({ to, file, texts: textsOf(columns) }, { onProgress: unwatched, signal });
}

function importList(file: File, columns: Columns) {
  const to = uploadTarget("POST", "/api/admin/newsletter/imports", {});
  // Not aborted: once sent, it is done whether or not anyone waits.
  const { signal } = new AbortController();
  return uploadFile({ to, file, texts: textsOf(columns) }, { onProgress: unwatched, signal });
}

function undoImport(id: string): Promise<UndoneSubscribers> {
  return call("POST", "/api/admin/newsletter/imports/{id}/undo", { path: { id } });
}
