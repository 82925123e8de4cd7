// The words for a code, from the rules' catalogue of messages: titles and texts of toasts, lines inside pages.
import { withRules } from "./rules.ts";

export interface Words {
  title: string;
  text: string;
}

/**
 * The title and the text for a code, with the part in braces replaced by `value` where one is given. An absent part is
 * the empty string. Without the rules the code itself has to do, readable: that something happened must be said.
 */
export function words(code: string, value?: string): Words {
  const message = withRules((rules) =>
    value === undefined ? rules.message(code) : rules.messageWith(code, value),
  );
  if (message) return { title: message.title ?? "", text: message.text ?? "" };
  const readable = code.replaceAll("_", " ");
  return { title: readable.toUpperCase(), text: value ?? `${readable}.` };
}

/** The text for a code. */
export function textOf(code: string, value?: string): string {
  return words(code, value).text;
}
