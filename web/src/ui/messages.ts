import { MESSAGES } from "../rules/generated/messages.ts";

export type Code = keyof typeof MESSAGES;

export type TitledCode = {
  [C in Code]: (typeof MESSAGES)[C]["title"] extends "" ? never : C;
}[Code];

export type TextCode = {
  [C in Code]: (typeof MESSAGES)[C]["text"] extends "" ? never : C;
}[Code];

export type ToastCode = TitledCode & TextCode;

interface Message {
  title: string;
  text: string;
}

/**
 * The title and text for a code, with the part in braces replaced by `value`, if given. An absent part is the empty
 * string.
 */
export function message(code: Code, value?: string): Message {
  const { title, text } = MESSAGES[code];
  return { title, text: value === undefined ? text : text.replace(/\{[^}]*\}/, () => value) };
}

export function messageTitle(code: TitledCode): string {
  return MESSAGES[code].title;
}

export function messageText(code: TextCode, value?: string): string {
  return message(code, value).text;
}
