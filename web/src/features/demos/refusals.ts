// What a person reads of a demo that was not taken: the rules' words where a rule refused it.
import { ApiError } from "../../api/client.ts";
import { withRules } from "../../rules/rules.ts";
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
  return { title: titleOf(error.code) ?? title, text: said, fields };
}

/** The title that the rules give a refusal with this code. They name titles with refusals only, so each kind is tried. */
function titleOf(code: string): string | undefined {
  return withRules((rules) => {
    const none = { name: "", media_type: "", size_bytes: 0 };
    const endless = { name: ".zip", media_type: "", size_bytes: Number.MAX_SAFE_INTEGER };
    return [
      rules.checkDemoFile(none),
      rules.checkDemoFile(endless),
      ...(rules.checkDemo({ artist_name: "", email: "" }).problems ?? []),
    ].find((problem) => problem?.code === code)?.title;
  });
}
