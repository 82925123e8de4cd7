// What was typed into the contact form and not sent yet. It is personal: it lives in this page's memory alone, so that it
// survives going elsewhere on the site and no reload.
import type { ContactInputs } from "../../rules/forms/inputs.ts";
import { createBrowserStore } from "../../session/browserStore.ts";

export type Draft = ContactInputs;

export const BLANK: Draft = { name: "", email: "", message: "" };

/** Where earlier versions kept it in the browser. */
const formerStore = createBrowserStore("deadwax.contact", () => null, "tab");

let held = BLANK;

/** What was typed so far. */
export function heldDraft(): Draft {
  return held;
}

/** Holds what is typed. */
export function holdDraft(draft: Draft): void {
  held = draft;
}

/** Takes what an earlier version left behind out of the browser. */
export function dropStoredDraft(): void {
  formerStore.clear();
}
