// The calls, texts and form of letters to the subscribers.
import { call, type Schemas } from "../../../../api/client.ts";
import { readQuery } from "../../../../api/queries.ts";
import type { RemovableRows, RowsCalls } from "../../lists/useRows.ts";
import { type EditableResourceConfig, ifMatch } from "../../resource/resourceConfig.ts";

export type LetterSummary = Schemas["LetterSummary"];
type Part = Schemas["LetterPart"];
export type PartKind = Part["kind"];
/** A part as inputs hold it: unset fields are empty. */
export type PartInputs = Required<Part>;

/** A letter; in the list without its text. */
export type Letter = LetterSummary & { preheader?: string; parts?: Part[] };

export interface LetterForm {
  subject: string;
  preheader: string;
  parts: PartInputs[];
}

export const PART_NAMES: Readonly<Record<PartKind, string>> = {
  heading: "Heading",
  picture: "Picture",
  text: "Text",
  button: "Button",
  release: "Release",
  divider: "Divider",
};

export function aPart(kind: PartKind): PartInputs {
  return { kind, text: "", picture: "", alt: "", link: "", release_id: "" };
}

const STATES: Readonly<Record<LetterSummary["state"], string>> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  sent: "Sent",
  stopped: "Stopped",
  missed: "Missed",
};

export function stateOf({ state, captured }: LetterSummary): string {
  return state === "sent" && captured ? "Captured" : STATES[state];
}

export function subjectOf({ subject }: Pick<LetterSummary, "subject">): string {
  return subject || "(No subject)";
}

/** Said of releases that a letter announces before they are out. */
export function notOut(titles: readonly string[]): string {
  return titles
    .map((title) => `“${title}” is not out: links lead to its page once it is.`)
    .join(" ");
}

function wordsOf({ kind, text = "", alt = "", link = "" }: Part): string {
  return [PART_NAMES[kind], text || alt, link].filter(Boolean).join(": ");
}

const PATH = "/api/admin/letters";

export const lettersCalls: RowsCalls<Letter> & RemovableRows = {
  path: PATH,
  list: ({ limit, cursor }, signal) =>
    call("GET", PATH, { query: { limit, ...(cursor && { cursor }) }, signal }),
  remove: (id) => call("DELETE", `${PATH}/{id}`, { path: { id } }),
};

export const letterQuery = (id: string) => readQuery(`${PATH}/{id}`, { path: { id } });

export const letterConfig: EditableResourceConfig<Letter, LetterForm, Schemas["LetterDraft"]> = {
  ...lettersCalls,
  options: { orders: [], states: [] },
  show: (id, signal) => call("GET", `${PATH}/{id}`, { path: { id }, signal }),
  // Every letter is begun before it is edited.
  add: (_, headers) => call("POST", PATH, { body: {}, headers }),
  change: (row, body) =>
    call("PUT", `${PATH}/{id}`, { path: { id: row.id }, headers: ifMatch(row), body }),
  staysOpen: true,
  messages: {
    loadFailed: "letters_load_failed",
    created: "letter_saved",
    createFailed: "letter_create_failed",
    updated: "letter_saved",
    updateFailed: "letter_save_failed",
    deleted: "letter_deleted",
    deleteFailed: "letter_delete_failed",
  },
  nameOf: subjectOf,
  check: (rules, form) => rules.checkLetterDraft(form),
  unchecked: (form) => form,
  blank: { subject: "", preheader: "", parts: [] },
  formOf: ({ subject, preheader = "", parts = [] }) => ({
    subject,
    preheader,
    parts: parts.map((part) => ({ ...aPart(part.kind), ...part })),
  }),
  labels: { subject: "Subject", preheader: "Preview Line", parts: "Parts" },
  readable: { parts: ({ parts = [] }) => parts.map(wordsOf).join("\n") || "(empty)" },
  rowNames: { parts: "Part" },
};
