// What a key means at the desk. Latin letters go by what they write, digits and letters of other scripts by where they are, so that each
// is found on every keyboard.

export type Command =
  | { do: "turn" }
  | { do: "skip"; seconds: number }
  | { do: "jump"; tenth: number }
  | { do: "score"; score: number }
  | {
      do:
        | "next"
        | "previous"
        | "nextTrack"
        | "previousTrack"
        | "shortlist"
        | "decline"
        | "accept"
        | "reply"
        | "send"
        | "note"
        | "undo"
        | "search"
        | "keys";
    };

/** How far J and L go. */
export const SKIP_SECONDS = 15;

/** The parts of a key press that count. */
export interface Press {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  /** True while the key is held down. */
  repeat: boolean;
}

/** What has the focus when a key is pressed. */
export type Focus = "nothing" | "key" | "field";

/** Every key as it is written on it, what it does, and the command of a letter. */
const TABLE: readonly (readonly [keys: string, what: string, command?: Command])[] = [
  ["Space", "Play or pause"],
  ["J", `${SKIP_SECONDS} seconds back`, { do: "skip", seconds: -SKIP_SECONDS }],
  ["L", `${SKIP_SECONDS} seconds on`, { do: "skip", seconds: SKIP_SECONDS }],
  ["0 to 9", "Jump to a tenth of it"],
  ["N", "Next unheard demo", { do: "next" }],
  ["P", "Previous demo", { do: "previous" }],
  ["T", "Next track of an archive", { do: "nextTrack" }],
  ["Shift + T", "Previous track"],
  ["Shift + 1 to 5", "Score"],
  ["S", "Shortlist", { do: "shortlist" }],
  ["D", "Decline, and open its letter", { do: "decline" }],
  ["A", "Accept, and open its letter", { do: "accept" }],
  ["R", "Reply", { do: "reply" }],
  ["Enter", "Send the open letter, and go on"],
  ["E", "Note", { do: "note" }],
  ["Ctrl + Enter", "In a letter, send it; in a note, keep it"],
  ["Esc", "Leave a field, close what is open"],
  ["U", "Undo", { do: "undo" }],
  ["/", "Search"],
  ["?", "All keys"],
];

/** All keys, for people. */
export const KEYS = TABLE.map(([keys, what]) => [keys, what] as const);

const LETTERS = new Map(
  TABLE.flatMap(([keys, , command]) => (command ? [[keys.toLowerCase(), command] as const] : [])),
);

/** What the press means; undefined where it is not the desk's. */
export function commandOf(press: Press, focus: Focus): Command | undefined {
  if (focus === "field" || press.ctrlKey || press.altKey || press.metaKey) return undefined;
  const command = meant(press, focus);
  // Held down, only what moves along the sound goes on.
  return press.repeat && command?.do !== "skip" ? undefined : command;
}

/** What the key writes; where that is a letter of another script, what it writes on a Latin keyboard. */
function latinOf({ key, code, shiftKey }: Press): string {
  if (!/^\p{L}/u.test(key) || /^\p{Script=Latin}/u.test(key)) return key;
  if (code === "Slash") return shiftKey ? "?" : "/";
  return /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}

function meant(press: Press, focus: Focus): Command | undefined {
  const { code, shiftKey } = press;
  const key = latinOf(press);
  // What is written counts before the place: on many keyboards these two stand over digits.
  if (key === "/") return { do: "search" };
  if (key === "?") return { do: "keys" };
  // A key that has the focus is pressed by it.
  if (key === " ") return focus === "key" || shiftKey ? undefined : { do: "turn" };
  if (key === "Enter") return focus === "key" || shiftKey ? undefined : { do: "send" };
  // Without its lock, and with Shift, the number pad has arrows.
  const isArrow = code.startsWith("Numpad") && !/^\d$/.test(key);
  const digit = isArrow ? undefined : /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit !== undefined) {
    const number = Number(digit);
    if (!shiftKey) return { do: "jump", tenth: number };
    return number >= 1 && number <= 5 ? { do: "score", score: number } : undefined;
  }
  const letter = key.toLowerCase();
  if (!shiftKey) return LETTERS.get(letter);
  return letter === "t" ? { do: "previousTrack" } : undefined;
}

/** What kind of thing has the focus. */
export function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return "nothing";
  // A dialog over the desk has its own keys, and so has the list of a select.
  if (target.closest("[role=dialog], [role=alertdialog], select, textarea, [contenteditable]")) {
    return "field";
  }
  if (target.matches("input")) {
    const type = target.getAttribute("type") ?? "text";
    if (type === "range") return "nothing";
    return ["checkbox", "radio", "button", "submit"].includes(type) ? "key" : "field";
  }
  return target.closest("button, a[href], summary, [role=button]") ? "key" : "nothing";
}
