import { call, type Schemas } from "../../../api/client.ts";
import { type OptionsOf, rowsOf, type SortedRows } from "../lists/useRows.ts";

export type Demo = Schemas["SubmittedDemo"];

const DEMOS_PATH = "/api/admin/demos";

const OPTIONS: OptionsOf<typeof DEMOS_PATH> = {
  orders: [
    { value: "-submitted", label: "Newest first" },
    { value: "submitted", label: "Oldest first" },
    { value: "artist", label: "Artist A to Z" },
    { value: "-artist", label: "Artist Z to A" },
    { value: "file", label: "File A to Z" },
    { value: "-file", label: "File Z to A" },
    { value: "-size", label: "Largest first" },
    { value: "size", label: "Smallest first" },
  ],
  states: [
    { value: "sound", label: "Sound" },
    { value: "archive", label: "Archives" },
  ],
};

export const demoCalls: SortedRows<Demo> = {
  path: DEMOS_PATH,
  list: rowsOf("/api/admin/demos"),
  remove: (id) => call("DELETE", "/api/admin/demos/{id}", { path: { id } }),
  trash: "demo",
  options: OPTIONS,
  // The server's limit.
  sizes: { first: 100, next: 100 },
};

/** The server sets the name of the download. */
export function fileOf({ id }: Pick<Demo, "id">): string {
  return `${DEMOS_PATH}/${id}/file`;
}

/** Whether it plays in the browser; archives do not. */
export function isSound({ content_type }: Pick<Demo, "content_type">): boolean {
  return content_type.startsWith("audio/");
}

/** Encoded, so that nothing in the address becomes a field of the mail. */
export function mailTo(email: string): string {
  const at = email.lastIndexOf("@");
  return `mailto:${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
