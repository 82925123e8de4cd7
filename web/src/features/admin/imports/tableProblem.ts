// Why a table cannot be looked at, where the browser knows more than the server said.
import { apiError } from "../../../api/client.ts";

/** A failure whose message is for people. */
export class TableProblem extends Error {}

/** What kept a table from being looked at; the failure itself where no more is known. */
export async function tableProblem(file: File, failure: unknown): Promise<unknown> {
  if (!apiError(failure).isSilence) return failure;
  // A browser that finds the file changed sends nothing, and says no more than that.
  return (await isReadable(file))
    ? new TableProblem("The server did not answer. Choose the table again.")
    : new TableProblem("The file has changed or moved since it was chosen. Choose it again.");
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
