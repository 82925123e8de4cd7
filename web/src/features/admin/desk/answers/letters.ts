// The letters of the desk: their kinds, what they are called, and which one a demo's state calls for.
import type { DemoState, LetterKind } from "../deskTypes.ts";

export const KINDS: readonly (readonly [kind: LetterKind, name: string])[] = [
  ["received", "Received"],
  ["shortlisted", "Shortlisted"],
  ["declined", "Declined"],
  ["accepted", "Accepted"],
];

export function kindName(kind: LetterKind): string {
  return KINDS.find(([known]) => known === kind)?.[1] ?? kind;
}

/** What a reply to a demo begins with. */
export function kindFor(state: DemoState): LetterKind {
  return state === "new" || state === "heard" ? "received" : state;
}

export interface Letter {
  subject: string;
  text: string;
}
