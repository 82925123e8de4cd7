// What was typed into the contact form and not sent yet. It ends with the tab, because it is personal.
import { createBrowserStore } from "../../session/browserStore.ts";

export interface Draft {
  name: string;
  email: string;
  message: string;
}

export const BLANK: Draft = { name: "", email: "", message: "" };

export const draftStore = createBrowserStore("deadwax.contact", readDraft, "tab");

/** Whatever the tab held, as a draft. */
function readDraft(found: unknown): Draft {
  if (typeof found !== "object" || found === null) return BLANK;
  const { name, email, message } = found as Partial<Record<keyof Draft, unknown>>;
  return { name: textOf(name), email: textOf(email), message: textOf(message) };
}

function textOf(part: unknown): string {
  return typeof part === "string" ? part : "";
}
