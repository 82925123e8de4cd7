import { describe, expect, it } from "vitest";
import { commandOf, focusOf, type Press } from "./commands.ts";

const press = (key: string, changes: Partial<Press> = {}): Press => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : "",
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  ...changes,
});

describe("a key of the desk", () => {
  it.each([
    [" ", { do: "turn" }],
    ["j", { do: "skip", seconds: -15 }],
    ["l", { do: "skip", seconds: 15 }],
    ["n", { do: "next" }],
    ["p", { do: "previous" }],
    ["t", { do: "nextTrack" }],
    ["s", { do: "shortlist" }],
    ["d", { do: "decline" }],
    ["a", { do: "accept" }],
    ["e", { do: "note" }],
    ["r", { do: "reply" }],
    ["Enter", { do: "send" }],
    ["u", { do: "undo" }],
    ["/", { do: "search" }],
    ["?", { do: "keys" }],
    // With caps lock.
    ["N", { do: "next" }],
  ])("%s", (key, command) => {
    expect(commandOf(press(key), "nothing")).toEqual(command);
  });

  it("is a letter by what it writes, wherever it lies", () => {
    expect(commandOf(press("a", { code: "KeyQ" }), "nothing")).toEqual({ do: "accept" });
    expect(commandOf(press("q", { code: "KeyA" }), "nothing")).toBeUndefined();
  });

  it("is a digit by its place, whatever it writes", () => {
    expect(commandOf(press("é", { code: "Digit2" }), "nothing")).toEqual({ do: "jump", tenth: 2 });
    const score = press("$", { code: "Digit4", shiftKey: true });
    expect(commandOf(score, "nothing")).toEqual({ do: "score", score: 4 });
    expect(commandOf(press("(", { code: "Digit9", shiftKey: true }), "nothing")).toBeUndefined();
    expect(commandOf(press(")", { code: "Digit0", shiftKey: true }), "nothing")).toBeUndefined();
    expect(commandOf(press("7", { code: "Numpad7" }), "nothing")).toEqual({ do: "jump", tenth: 7 });
    expect(commandOf(press("ArrowUp", { code: "Numpad8" }), "nothing")).toBeUndefined();
    expect(
      commandOf(press("Home", { code: "Numpad7", shiftKey: true }), "nothing"),
    ).toBeUndefined();
  });

  it("is a slash and a question mark also where they stand over digits", () => {
    const slash = press("/", { code: "Digit7", shiftKey: true });
    expect(commandOf(slash, "nothing")).toEqual({ do: "search" });
    const question = press("?", { code: "Digit2", shiftKey: true });
    expect(commandOf(question, "nothing")).toEqual({ do: "keys" });
  });

  it("goes to the track before with Shift", () => {
    expect(commandOf(press("T", { shiftKey: true }), "nothing")).toEqual({ do: "previousTrack" });
  });

  it("is the browser's with Ctrl, Alt or the command key, and nobody's with Shift on another letter", () => {
    for (const held of ["ctrlKey", "altKey", "metaKey", "shiftKey"]) {
      expect(commandOf(press("s", { [held]: true }), "nothing")).toBeUndefined();
    }
  });

  it("is text in a field", () => {
    expect(commandOf(press("s"), "field")).toBeUndefined();
    expect(commandOf(press(" "), "field")).toBeUndefined();
  });

  it("presses what has the focus, if it is the space bar", () => {
    expect(commandOf(press(" "), "key")).toBeUndefined();
    expect(commandOf(press("Enter"), "key")).toBeUndefined();
    expect(commandOf(press("s"), "key")).toEqual({ do: "shortlist" });
  });

  it("counts once while it is held, unless it moves along the sound", () => {
    expect(commandOf(press("n", { repeat: true }), "nothing")).toBeUndefined();
    expect(commandOf(press("l", { repeat: true }), "nothing")).toBeDefined();
  });
});

describe("the focus", () => {
  it.each([
    ["<input>", "field"],
    ["<input type='search'>", "field"],
    ["<textarea></textarea>", "field"],
    ["<select></select>", "field"],
    ["<input type='range'>", "nothing"],
    ["<input type='checkbox'>", "key"],
    ["<button></button>", "key"],
    ["<a href='/'></a>", "key"],
    ["<p></p>", "nothing"],
  ])("on %s", (html, focus) => {
    document.body.innerHTML = html;
    expect(focusOf(document.body.firstElementChild)).toBe(focus);
  });

  it("within a dialog is the dialog's", () => {
    document.body.innerHTML = "<div role='dialog'><button></button></div>";
    expect(focusOf(document.querySelector("button"))).toBe("field");
  });
});
