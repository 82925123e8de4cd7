// A text as it is being typed, beside the text as it is stored.
import type { Schemas } from "../editing/kind.ts";

export type SiteText = Schemas["EditableText"];

export interface TextDraft {
  value: string;
  /** The version that was on show when the typing began. */
  version: number;
}

/** True while something typed differs from what is stored. */
export function isChanged(text: SiteText, draft: TextDraft | undefined): draft is TextDraft {
  return draft !== undefined && draft.value !== text.value;
}

/** The pages that texts appear on, in the order of the dashboard. */
export const PLACES = [
  ["/", "Home page"],
  ["/artists", "Artists page"],
  ["/privacy-policy", "Privacy policy"],
] as const;

/** Where a text appears, by the page's address. */
export function placeOf(key: string): "/" | "/artists" | "/privacy-policy" {
  if (key === "privacy_policy") return "/privacy-policy";
  return key.startsWith("artists_") ? "/artists" : "/";
}

/** How loud a text is on its page, as a class of the theme. */
export function voiceOf(key: string): string {
  if (/main_title|join_title|embrace/.test(key)) return "type-display text-[2.5rem]!";
  if (/subtitle|intro|newsletter_title/.test(key)) return "type-heading";
  if (key === "manifesto_title") return "type-label";
  return "type-lead";
}
