// A template as it is being typed, beside the template as it is stored.
import type { Letter } from "../answers/letters.ts";
import type { LetterTemplate } from "../deskTypes.ts";

export interface TemplateDraft extends Letter {
  /** The version that was on show when the typing began. */
  version: number;
}

/** True while something typed differs from what is stored. */
export function isChanged(
  { subject, text }: LetterTemplate,
  draft: TemplateDraft | undefined,
): draft is TemplateDraft {
  return draft !== undefined && (draft.subject !== subject || draft.text !== text);
}
