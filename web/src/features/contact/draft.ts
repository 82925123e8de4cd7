// What was typed into the contact form and not sent yet. It is personal: it lives in this page's memory alone, so that it
// survives going elsewhere on the site and no reload.
import type { ContactInputs } from "../../rules/forms/inputs.ts";

export type Draft = ContactInputs;

export const BLANK: Draft = { name: "", email: "", message: "" };

let held = BLANK;

/** What was typed so far. */
export function heldDraft(): Draft {
  return held;
}

/** Holds what is typed. */
export function holdDraft(draft: Draft): void {
  held = draft;
}
