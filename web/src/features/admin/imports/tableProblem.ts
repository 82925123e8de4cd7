// Explains why a chosen table could not be read or imported.
import { apiError } from "../../../api/client.ts";
import { isReadable } from "../../../api/isReadable.ts";
import { MAY_BE_DONE, wordsFor } from "../../../session/wordsFor.ts";
import { FILE_MOVED } from "../uploads/useUpload.ts";

const FAILED = "That did not work. Please try again.";
const SILENT = "The server did not answer. Please try again.";

class TableProblem extends Error {}

/** Explains why a table could not be sent; returns the failure itself if nothing more is known. */
export async function tableProblem(file: File, failure: unknown): Promise<unknown> {
  if (!apiError(failure).isSilence || (await isReadable(file))) return failure;
  return new TableProblem(FILE_MOVED);
}

/** True if the same table may be read at another attempt. */
export function isPassing(error: unknown): boolean {
  return error !== null && !(error instanceof TableProblem) && apiError(error).isTransient;
}

/** True if the table may have been imported: only the answer was lost. */
export function mayBeDone(error: unknown): boolean {
  return error !== null && !(error instanceof TableProblem) && apiError(error).isUnsure;
}

/** Words for a failure of a table, of a check or a change; undefined without one. */
export function wordsOfTable(error: unknown, of: "check" | "change"): string | undefined {
  if (!error) return undefined;
  if (error instanceof TableProblem) return error.message;
  if (of === "change" && mayBeDone(error)) return MAY_BE_DONE;
  return wordsFor(error, apiError(error).isSilence ? SILENT : FAILED);
}
