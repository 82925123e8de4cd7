import type { Schemas } from "../../../api/client.ts";

export type DeskDemo = Schemas["DeskDemo"];
export type DemoState = DeskDemo["state"];
export type DeskDemoDetail = Schemas["DeskDemoDetail"];
export type DeskNote = Schemas["DemoNote"];
export type DeskSummary = Schemas["DeskSummary"];
export type SoundAnalysis = Schemas["SoundAnalysis"];
export type SoundSummary = Schemas["SoundSummary"];
export type SoundTrack = Schemas["SoundTrack"];
export type LetterKind = Schemas["LetterKind"];
export type LetterTemplate = Schemas["LetterTemplate"];
export type DemoAnswer = Schemas["DemoAnswer"];

export interface Letter {
  subject: string;
  text: string;
}

export const LETTER_KINDS: readonly (readonly [kind: LetterKind, name: string])[] = [
  ["received", "Received"],
  ["shortlisted", "Shortlisted"],
  ["declined", "Declined"],
  ["accepted", "Accepted"],
];

export function letterName(kind: LetterKind): string {
  return LETTER_KINDS.find(([known]) => known === kind)?.[1] ?? kind;
}

export function letterFor(state: DemoState): LetterKind {
  return state === "new" || state === "heard" ? "received" : state;
}
