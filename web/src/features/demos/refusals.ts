// The words for a demo that was not accepted: the rules' words if a rule refused it.
import { apiError } from "../../api/client.ts";
import { DEMO_TITLES } from "../../rules/generated/refusals.ts";
import { message } from "../../ui/messages.ts";

export class UploadCancelled extends Error {}

export class FileUnreadable extends Error {}

export interface Refusal {
  title: string;
  text: string;
  fields: Readonly<Record<string, string>>;
}

const OF_THE_FILE = ["invalid_file_type", "file_empty", "file_too_large"];

export function refusalOf(error: unknown): Refusal {
  const { title, text } = message("demo_failed");
  if (error instanceof FileUnreadable) {
    const changed = "This file was changed or moved meanwhile. Please choose it again.";
    return { title, text: changed, fields: { file: changed } };
  }
  // Server errors are not shown, except a full storage.
  const { isRefusal, code, said, fields } = apiError(error);
  const isShown = isRefusal || code === "storage_full";
  if (!isShown || said === undefined) return { title, text, fields: {} };
  return {
    title: DEMO_TITLES[code] ?? title,
    text: said,
    fields: OF_THE_FILE.includes(code) ? { file: said } : fields,
  };
}
