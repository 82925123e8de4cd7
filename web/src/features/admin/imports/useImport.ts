// A table on its way in: looked at anew with every choice, imported once, and taken back.
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiError } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { catalogNumbersQuery } from "../releases/catalogNumbers.ts";
import {
  type ImportChoices,
  importReleases,
  importsQuery,
  NO_CHOICES,
  previewImport,
  undoImport,
} from "./importCalls.ts";
import { TableProblem, tableProblem } from "./tableProblem.ts";

const FAILED = "That did not work. Please try again.";

export function useImport() {
  const client = useQueryClient();
  /** Counted, because two files of one name are not the same table. */
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
    // What was shown stays until the next answer is here.
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
    /** True while what is shown answers older choices, or nothing is there yet. */
    isLooking: preview.isFetching,
    /** Why the table cannot be read. */
    problem: wordsOf(preview.error),
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
    importProblem: wordsOf(importing.error),
    importNow: () => file && importing.mutate(file),
    isUndoing: undoing.isPending,
    undone: undoing.data,
    undoProblem: wordsOf(undoing.error),
    undo: (id: string) => undoing.mutate(id),
  };
}

export type Import = ReturnType<typeof useImport>;

function wordsOf(error: unknown): string | undefined {
  if (!error) return undefined;
  if (error instanceof TableProblem) return error.message;
  return apiError(error).said ?? FAILED;
}
