// A template as it is being typed, beside the template as it is stored.
import type { Letter } from "../answers/letters.ts";
import type { LetterTemplate } from "../deskTypes.ts";

/** The fields that were typed in; the others follow what is stored. */
export interface TemplateDraft extends Partial<Letter> {
  /** The version that was on show when the typing began. */
  version: number;
}

/** The letter that a draft makes of what is stored. */
export function letterOf(stored: Letter, draft: TemplateDraft | undefined): Letter {
  return { subject: draft?.subject ?? stored.subject, text: draft?.text ?? stored.text };
}

/** True while something typed differs from what is stored. */
export function isChanged(
  stored: LetterTemplate,
  draft: TemplateDraft | undefined,
): draft is TemplateDraft {
  const { subject, text } = letterOf(stored, draft);
  return subject !== stored.subject || text !== stored.text;
}
