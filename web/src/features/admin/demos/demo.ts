import { call, type Schemas } from "../../../api/client.ts";
import { type OptionsOf, rowsOf, type SortedRows } from "../lists/useRows.ts";

export type Demo = Schemas["SubmittedDemo"];

const DEMOS_PATH = "/api/admin/demos";

export const demoCalls: SortedRows<Demo> = {
  path: DEMOS_PATH,
  list: rowsOf("/api/admin/demos"),
  remove: (id) => call("DELETE", "/api/admin/demos/{id}", { path: { id } }),
  trash: "demo",
  options: {
    orders: [
      ["-submitted", "Newest first"],
      ["submitted", "Oldest first"],
      ["artist", "Artist A to Z"],
      ["-artist", "Artist Z to A"],
      ["file", "File A to Z"],
      ["-file", "File Z to A"],
      ["-size", "Largest first"],
      ["size", "Smallest first"],
    ],
    states: [
      ["sound", "Sound"],
      ["archive", "Archives"],
    ],
  } satisfies OptionsOf<typeof DEMOS_PATH>,
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
