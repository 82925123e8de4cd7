// The commands of the desk. Buttons, their hints, the help and the handlers all follow this one table.

export const SKIP_SECONDS = 15;

interface CommandEntry {
  /** As it is printed on the keyboard. */
  key: string;
  /** The same for `aria-keyshortcuts`, where that differs. */
  ariaKey?: string;
  label?: string;
  help: string;
}

const TABLE = {
  play: { key: "Space", help: "Play or pause" },
  back: { key: "J", help: `${SKIP_SECONDS} seconds back` },
  forward: { key: "L", help: `${SKIP_SECONDS} seconds on` },
  jump: { key: "0 to 9", help: "Jump to a tenth of it" },
  next: { key: "N", label: "Next", help: "Next unheard demo" },
  previous: { key: "P", label: "Previous", help: "Previous demo" },
  nextTrack: { key: "T", help: "Next track of an archive" },
  previousTrack: { key: "Shift + T", ariaKey: "Shift+T", help: "Previous track" },
  score: { key: "Shift + 1 to 5", help: "Score" },
  shortlist: { key: "S", label: "Shortlist", help: "Shortlist" },
  decline: { key: "D", label: "Decline", help: "Decline, and open its letter" },
  accept: { key: "A", label: "Accept", help: "Accept, and open its letter" },
  reply: { key: "R", label: "Reply", help: "Reply" },
  send: { key: "Enter", label: "Send", help: "Send the open letter, and go on" },
  note: { key: "E", label: "Note", help: "Note" },
  sendFromField: { key: "Ctrl + Enter", help: "In a letter, send it; in a note, keep it" },
  close: {
    key: "Esc",
    ariaKey: "Escape",
    label: "Not Now",
    help: "Leave a field, close what is open",
  },
  undo: { key: "U", label: "UNDO", help: "Undo" },
  search: { key: "/", help: "Search" },
  keys: { key: "?", label: "All keys", help: "All keys" },
} satisfies Record<string, CommandEntry>;

type Entries = typeof TABLE;

/** Ctrl + Enter has no handler here: the fields handle it themselves. */
export type CommandId = Exclude<keyof Entries, "sendFromField">;

export const COMMANDS: Readonly<Record<keyof Entries, CommandEntry>> = TABLE;

export interface Command {
  id: CommandId;
  /** The score, or the tenth to jump to. */
  value?: number;
}

export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey" | "repeat"
>;

export type Focus = "nothing" | "button" | "field";

const LETTERS = new Map(
  Object.entries(COMMANDS)
    .filter(([, { key }]) => /^[A-Z]$/.test(key))
    .map(([id, { key }]) => [key.toLowerCase(), id as CommandId]),
);

export function commandOf(press: Press, focus: Focus): Command | undefined {
  if (focus === "field" || press.ctrlKey || press.altKey || press.metaKey) return undefined;
  const command = findCommand(press, focus);
  const mayRepeat = command?.id === "back" || command?.id === "forward";
  return press.repeat && !mayRepeat ? undefined : command;
}

/** The character of a key; for other scripts, the character at its place on a Latin keyboard. */
function latinOf({ key, code, shiftKey }: Press): string {
  if (!/^\p{L}/u.test(key) || /^\p{Script=Latin}/u.test(key)) return key;
  if (code === "Slash") return shiftKey ? "?" : "/";
  return /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}

function findCommand(press: Press, focus: Focus): Command | undefined {
  const { code, shiftKey } = press;
  const key = latinOf(press);
  // Before the digits: many keyboards have these two on digit keys.
  if (key === "/") return { id: "search" };
  if (key === "?") return { id: "keys" };
  // A focused button is pressed by it.
  if (key === " ") return focus === "button" || shiftKey ? undefined : { id: "play" };
  if (key === "Enter") return focus === "button" || shiftKey ? undefined : { id: "send" };
  // Without Num Lock, and with Shift, the number pad sends arrows.
  const isArrow = code.startsWith("Numpad") && !/^\d$/.test(key);
  const digit = isArrow ? undefined : /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit !== undefined) {
    const value = Number(digit);
    if (!shiftKey) return { id: "jump", value };
    return value >= 1 && value <= 5 ? { id: "score", value } : undefined;
  }
  const letter = key.toLowerCase();
  if (shiftKey) return letter === "t" ? { id: "previousTrack" } : undefined;
  const id = LETTERS.get(letter);
  return id && { id };
}

export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return "nothing";
  // A dialog over the desk, and the open list of a select, use the keys themselves.
  if (target.closest("[role=dialog], [role=alertdialog], select, textarea, [contenteditable]")) {
    return "field";
  }
  if (target.matches("input")) {
    const type = target.getAttribute("type") ?? "text";
    if (type === "range") return "nothing";
    return ["checkbox", "radio", "button", "submit"].includes(type) ? "button" : "field";
  }
  return target.closest("button, a[href], summary, [role=button]") ? "button" : "nothing";
}
