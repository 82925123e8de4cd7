// Why a table cannot be looked at, where more can be told here than the server was told.
import { apiError } from "../../../api/client.ts";

/** A failure whose message is for people. */
export class TableProblem extends Error {}

/** What kept a table from being looked at; the failure itself where no more can be told of it. */
export async function tableProblem(file: File, failure: unknown): Promise<unknown> {
  const { code, said, isSilence } = apiError(failure);
  if (code === "import_not_text" && said) {
    const line = await firstLineWithoutText(file);
    return line === undefined ? failure : new TableProblem(`${said}. It is none on line ${line}.`);
  }
  if (!isSilence) return failure;
  // A browser that finds the file changed sends nothing, and says no more than that.
  return (await isReadable(file))
    ? new TableProblem("The server did not answer. Choose the table again.")
    : new TableProblem("The file has changed or moved since it was chosen. Choose it again.");
}

/** The first line that is no text in UTF-8, from 1; undefined where all of them are. */
async function firstLineWithoutText(file: File): Promise<number | undefined> {
  // What is no letter becomes this one, and a table of texts holds no zeros.
  const text = new TextDecoder().decode(await file.arrayBuffer());
  const at = text.search(/[\0\ufffd]/);
  return at < 0 ? undefined : text.slice(0, at).split(/\r\n|\n|\r/).length;
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
