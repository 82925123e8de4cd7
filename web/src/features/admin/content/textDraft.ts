// A text as it is being typed, beside the text as it is stored.
import type { Schemas } from "../../../api/client.ts";
import { TEXT_CARDS } from "../../../rules/generated/texts.ts";
import { withRules } from "../../../rules/rules.ts";

export type SiteText = Schemas["EditableText"];

export interface TextDraft {
  value: string;
  /** The version that was on show when the typing began. */
  version: number;
}

/** What the card of a text is called. */
export function titleOfText(key: string): string {
  return withRules((rules) => rules.contentCardTitle(key)) ?? TEXT_CARDS[key]?.title ?? key;
}

/** How many rows its input has. */
export function rowsOfText(key: string): number {
  return withRules((rules) => rules.contentCardRows(key)) ?? TEXT_CARDS[key]?.rows ?? LONG_ROWS;
}

/** For a text that this version does not know. */
const LONG_ROWS = 4;

/** True while something typed differs from what is stored. */
export function isChanged(text: SiteText, draft: TextDraft | undefined): draft is TextDraft {
  return draft !== undefined && draft.value !== text.value;
}

/** The pages that texts appear on, in the order of their texts' keys: read from top to bottom, all cards are in that order. */
export const PAGES = [
  ["/artists", "Artists page"],
  ["/", "Home page"],
  ["/privacy-policy", "Privacy policy"],
] as const;

/** Where a text appears, by the page's address. */
export function pathOf(key: string): "/" | "/artists" | "/privacy-policy" {
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
