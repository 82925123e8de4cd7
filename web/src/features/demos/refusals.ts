// What a person reads of a demo that was not taken: the rules' words where a rule refused it.
import { ApiError } from "../../api/client.ts";
import { DEMO_TITLES } from "../../rules/generated/refusals.ts";
import { words } from "../../rules/words.ts";
import { FileUnreadable } from "./upload/failures.ts";

export interface Refusal {
  title: string;
  text: string;
  /** Field name to message. */
  fields: Readonly<Record<string, string>>;
}

/** Codes that speak of the file, whichever way they came. */
const OF_THE_FILE = ["invalid_file_type", "file_too_large"];

/** What is said of a failed upload. */
export function refusalOf(error: unknown): Refusal {
  const { title, text } = words("demo_failed");
  if (error instanceof FileUnreadable) {
    const changed = "This file was changed or moved meanwhile. Please choose it again.";
    return { title, text: changed, fields: { file: changed } };
  }
  // A server's own trouble is none of theirs, but a full store is told.
  const isTold =
    error instanceof ApiError &&
    ((error.status >= 400 && error.status < 500) || error.code === "storage_full") &&
    error.said !== undefined;
  if (!isTold) return { title, text, fields: {} };
  const said = error.said ?? text;
  const fields = OF_THE_FILE.includes(error.code) ? { file: said } : error.fields;
  return { title: DEMO_TITLES[error.code] ?? title, text: said, fields };
}
