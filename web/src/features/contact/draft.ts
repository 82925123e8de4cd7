// The unsent contact message. It is personal, so it lives in memory alone: it survives navigation, but no reload.
import type { ContactInputs } from "../../rules/forms/inputs.ts";

export type Draft = ContactInputs;

export const BLANK: Draft = { name: "", email: "", message: "" };

let held = BLANK;

export function heldDraft(): Draft {
  return held;
}

export function holdDraft(draft: Draft): void {
  held = draft;
}
