// An import: previewed after every choice, sent once, and undone.
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, type Schemas, uploadTarget } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { catalogNumbersQuery } from "../releases/CatalogNumbers.tsx";
import { uploadFile } from "../uploads/useUpload.ts";
import { tableProblem, wordsOfTable } from "./tableProblem.ts";

export function useImport() {
  const client = useQueryClient();
  /** Numbered, because two files of one name are different tables. */
  const [chosen, setChosen] = useState<{ file: File; number: number }>();
  const [choices, setChoices] = useState(NO_CHOICES);
  const file = chosen?.file;
  const preview = useQuery({
    queryKey: ["import", chosen?.number, choices],
    queryFn: file
      ? ({ signal }) =>
          previewImport(file, choices, signal).catch(async (failure: unknown) => {
            throw signal.aborted ? failure : await tableProblem(file, failure);
          })
      : skipToken,
    // The last preview stays until the next one is loaded.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

  function readAgain(): void {
    readRowsAgain(client, "/api/admin/releases");
    readRowsAgain(client, "/api/admin/artists");
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
    void client.invalidateQueries({ queryKey: catalogNumbersQuery.queryKey });
  }

  const importing = useSingleMutation({
    mutationFn: (sent: File) => importReleases(sent, choices),
    onSettled: readAgain,
  });
  const undoing = useSingleMutation({ mutationFn: undoImport, onSettled: readAgain });

  return {
    file,
    choices,
    preview: preview.data,
    /** True while the preview is loaded, or shows older choices. */
    isPreviewing: preview.isFetching,
    problem: wordsOfTable(preview.error),
    take(next: File): void {
      setChosen({ file: next, number: (chosen?.number ?? 0) + 1 });
      setChoices({ ...NO_CHOICES, asDrafts: choices.asDrafts });
      importing.reset();
    },
    choose(changes: Partial<ImportChoices>): void {
      setChoices({ ...choices, ...changes });
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

export type Import = ReturnType<typeof useImport>;

export type ImportPreview = Schemas["ImportPreview"];
export type ImportRow = Schemas["ImportRow"];
export type ImportView = Schemas["ImportView"];
export type Undone = Schemas["Undone"];

export type YearAlone = "first_day" | "last_day" | "leave_out";

export type DateOrder = "day_first" | "month_first";

export interface ImportChoices {
  /** The field of each column; undefined for the server's own reading of the headers. */
  columns: readonly (string | null)[] | undefined;
  yearAlone: YearAlone | undefined;
  dateOrder: DateOrder | undefined;
  asDrafts: boolean;
  leaveOutRefused: boolean;
}

const NO_CHOICES: ImportChoices = {
  columns: undefined,
  yearAlone: undefined,
  dateOrder: undefined,
  asDrafts: false,
  leaveOutRefused: false,
};

export const importsQuery = readQuery("/api/admin/imports", {});

function textsOf(choices: ImportChoices): Record<string, string> {
  return {
    columns: choices.columns ? JSON.stringify(choices.columns) : "",
    year_alone: choices.yearAlone ?? "",
    date_order: choices.dateOrder ?? "",
    as_drafts: String(choices.asDrafts),
    leave_out_refused: String(choices.leaveOutRefused),
  };
}

const unwatched = () => undefined;

function previewImport(file: File, choices: ImportChoices, signal: AbortSignal) {
  return uploadFile(
    { to: uploadTarget("POST", "/api/admin/imports/preview", {}), file, texts: textsOf(choices) },
    { onProgress: unwatched, signal },
  );
}

function importReleases(file: File, choices: ImportChoices) {
  return uploadFile(
    { to: uploadTarget("POST", "/api/admin/imports", {}), file, texts: textsOf(choices) },
    // Not aborted: once sent, it is done whether or not anyone waits.
    { onProgress: unwatched, signal: new AbortController().signal },
  );
}

function undoImport(id: string): Promise<Undone> {
  return call("POST", "/api/admin/imports/{id}/undo", { path: { id } });
}
