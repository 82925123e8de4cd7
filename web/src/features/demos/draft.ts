// What was typed into the dialog, kept for this tab until the demo is sent: a reload or a closed dialog loses no word.
// The file cannot be kept, and nothing of it leaves the tab.
import type { DemoInputs } from "../../rules/forms/inputs.ts";

export type DemoFields = Omit<DemoInputs, "file">;

const NAME = "deadwax.demo-draft";
const BLANK: DemoFields = { artist_name: "", email: "", message: "" };

export function readDraft(): DemoFields {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    if (typeof found !== "object" || found === null) return BLANK;
    const parts = Object.entries(found).filter(
      ([name, part]) => name in BLANK && typeof part === "string",
    );
    return { ...BLANK, ...Object.fromEntries(parts) };
  } catch {
    return BLANK;
  }
}

/** Storage may be refused; then the words live as long as the dialog. */
export function keepDraft({ artist_name, email, message }: DemoFields): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ artist_name, email, message }));
  } catch {
    // Nothing more can be done about it.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // It was never kept.
  }
}
