// An import of a table: checked after every choice, sent once, and undone.
import {
  keepPreviousData,
  type QueryClient,
  skipToken,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import { apiError, type UploadTarget } from "../../../api/client.ts";
import { useSingleMutation } from "../../../api/useSingleMutation.ts";
import { uploadFile } from "../uploads/useUpload.ts";
import { isPassing, mayBeDone, tableProblem, wordsOfTable } from "./tableProblem.ts";

/** The field of each column; undefined for the server's own reading of the headers. */
export type Columns = readonly (string | null)[] | undefined;

export interface TableImportConfig<Choices, Check, Imported, Undone> {
  /** Tells its checks from those of other tables. */
  name: string;
  check: UploadTarget<Check>;
  send: UploadTarget<Imported>;
  undo: (init: { path: { id: string }; timeoutMs: number }) => Promise<Undone>;
  noChoices: Choices;
  /** The choices that the next table begins with, besides `noChoices`. */
  kept?: (choices: Choices) => Partial<Choices>;
  textsOf: (choices: Choices) => Record<string, string>;
  readAgain: (client: QueryClient) => void;
}

/** The server has no deadline for an undo, and only its answer says which rows it left. */
const UNDO_TIMEOUT_MS = 600_000;

export function useTableImport<Choices, Check, Imported, Undone>(
  config: TableImportConfig<Choices, Check, Imported, Undone>,
) {
  const client = useQueryClient();
  /** Numbered, because two files of one name are different tables. */
  const [chosen, setChosen] = useState<{ file: File; number: number }>();
  const [choices, setChoices] = useState(config.noChoices);
  const file = chosen?.file;
  const check = useQuery({
    queryKey: [config.name, chosen?.number, choices],
    queryFn: file
      ? ({ signal }) => sendTable(config.check, file, config.textsOf(choices), signal)
      : skipToken,
    // The last check stays until the next one is loaded.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const onSettled = () => config.readAgain(client);
  const importing = useSingleMutation({
    // Not aborted: once sent, it is done whether or not anyone waits.
    mutationFn: (sent: File) =>
      sendTable(config.send, sent, config.textsOf(choices), new AbortController().signal),
    onSettled,
    // The rows may have changed since the check.
    onError: (error) => void ((apiError(error).isRefusal || mayBeDone(error)) && check.refetch()),
  });
  const undoing = useSingleMutation({
    mutationFn: (id: string) => config.undo({ path: { id }, timeoutMs: UNDO_TIMEOUT_MS }),
    onSettled,
    // Also beside a chosen table, whose rows may be new again.
    onSuccess: () => void (file && check.refetch()),
  });

  return {
    file,
    choices,
    check: check.data,
    /** True while the check is loaded, or shows older choices. */
    isChecking: check.isFetching,
    // The check after a lost answer may fail like it.
    problem: check.error
      ? (wordsOfTable(importing.error, "change") ?? wordsOfTable(check.error, "check"))
      : undefined,
    checkAgain: isPassing(check.error) ? () => void check.refetch() : undefined,
    take(next: File): void {
      setChosen({ file: next, number: (chosen?.number ?? 0) + 1 });
      setChoices({ ...config.noChoices, ...config.kept?.(choices) });
      importing.reset();
      undoing.reset();
    },
    choose(changes: Partial<Choices>): void {
      setChoices((now) => ({ ...now, ...changes }));
      importing.reset();
    },
    isImporting: importing.isPending,
    imported: importing.data,
    importProblem: wordsOfTable(importing.error, "change"),
    mayBeImported: mayBeDone(importing.error),
    importNow(): void {
      if (!file) return;
      undoing.reset();
      importing.mutate(file);
    },
    isUndoing: undoing.isPending,
    undone: undoing.data,
    undoProblem: wordsOfTable(undoing.error, "change"),
    undo: (id: string) => undoing.mutate(id),
  };
}

export type TableImport<Choices, Check, Imported, Undone> = ReturnType<
  typeof useTableImport<Choices, Check, Imported, Undone>
>;

async function sendTable<Answer>(
  to: UploadTarget<Answer>,
  file: File,
  texts: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await uploadFile({ to, file, texts }, { signal });
  } catch (failure) {
    throw signal.aborted ? failure : await tableProblem(file, failure);
  }
}
