import type { Schemas } from "../../../api/client.ts";
import { counted } from "../grouped.ts";

export type DeskDemo = Schemas["DeskDemo"];
export type DemoState = DeskDemo["state"];
export type DeskDemoDetail = Schemas["DeskDemoDetail"];
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

export const STATES: readonly (readonly [state: DemoState, name: string])[] = [
  ["new", "Unheard"],
  ["heard", "Heard"],
  ["shortlisted", "Shortlisted"],
  ["accepted", "Accepted"],
  ["declined", "Declined"],
];

export function stateName(state: DemoState): string {
  return STATES.find(([known]) => known === state)?.[1] ?? state;
}

export function isDecided(state: DemoState): boolean {
  return state !== "new" && state !== "heard";
}

const DAY_MS = 86_400_000;

export function isOverdue(
  { state, submitted_at }: Pick<DeskDemo, "state" | "submitted_at">,
  days: number | undefined,
  now: number,
): boolean {
  return days !== undefined && state === "new" && now - Date.parse(submitted_at) > days * DAY_MS;
}

/** In whole days: `today`, `1 day`, `12 days`. */
export function daysSince(at: string, now: number): string {
  const days = Math.max(0, Math.floor((now - Date.parse(at)) / DAY_MS));
  return days === 0 ? "today" : counted(days, "day");
}
