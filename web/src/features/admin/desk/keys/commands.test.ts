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
    [" ", { id: "play" }],
    ["j", { id: "back" }],
    ["l", { id: "forward" }],
    ["n", { id: "next" }],
    ["p", { id: "previous" }],
    ["t", { id: "nextTrack" }],
    ["s", { id: "shortlist" }],
    ["d", { id: "decline" }],
    ["a", { id: "accept" }],
    ["e", { id: "note" }],
    ["r", { id: "reply" }],
    ["Enter", { id: "send" }],
    ["u", { id: "undo" }],
    ["/", { id: "search" }],
    ["?", { id: "keys" }],
    // With caps lock.
    ["N", { id: "next" }],
  ])("%s", (key, command) => {
    expect(commandOf(press(key), "nothing")).toEqual(command);
  });

  it("is a letter by what it writes, wherever it lies", () => {
    expect(commandOf(press("a", { code: "KeyQ" }), "nothing")).toEqual({ id: "accept" });
    expect(commandOf(press("q", { code: "KeyA" }), "nothing")).toBeUndefined();
  });

  it("is a digit by its place, whatever it writes", () => {
    expect(commandOf(press("é", { code: "Digit2" }), "nothing")).toEqual({ id: "jump", value: 2 });
    const score = press("$", { code: "Digit4", shiftKey: true });
    expect(commandOf(score, "nothing")).toEqual({ id: "score", value: 4 });
    expect(commandOf(press("(", { code: "Digit9", shiftKey: true }), "nothing")).toBeUndefined();
    expect(commandOf(press(")", { code: "Digit0", shiftKey: true }), "nothing")).toBeUndefined();
    expect(commandOf(press("7", { code: "Numpad7" }), "nothing")).toEqual({ id: "jump", value: 7 });
    expect(commandOf(press("ArrowUp", { code: "Numpad8" }), "nothing")).toBeUndefined();
    expect(
      commandOf(press("Home", { code: "Numpad7", shiftKey: true }), "nothing"),
    ).toBeUndefined();
  });

  it("is a slash and a question mark also where they stand over digits", () => {
    const slash = press("/", { code: "Digit7", shiftKey: true });
    expect(commandOf(slash, "nothing")).toEqual({ id: "search" });
    const question = press("?", { code: "Digit2", shiftKey: true });
    expect(commandOf(question, "nothing")).toEqual({ id: "keys" });
  });

  it("goes to the track before with Shift", () => {
    expect(commandOf(press("T", { shiftKey: true }), "nothing")).toEqual({ id: "previousTrack" });
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
    expect(commandOf(press(" "), "button")).toBeUndefined();
    expect(commandOf(press("Enter"), "button")).toBeUndefined();
    expect(commandOf(press("s"), "button")).toEqual({ id: "shortlist" });
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
    ["<input type='checkbox'>", "button"],
    ["<button></button>", "button"],
    ["<a href='/'></a>", "button"],
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
