import { expect, it } from "vitest";
import { commandOf } from "./commands.ts";

const press = (key: string, code: string, shiftKey = false) =>
  commandOf(
    { key, code, shiftKey, ctrlKey: false, altKey: false, metaKey: false, repeat: false },
    "nothing",
  );

it.each([
  ["Russian", "ы", "KeyS", { id: "shortlist" }],
  ["Russian with caps lock", "Ы", "KeyS", { id: "shortlist" }],
  ["Greek", "δ", "KeyD", { id: "decline" }],
  ["Hebrew", "ש", "KeyA", { id: "accept" }],
  ["Arabic", "ق", "KeyR", { id: "reply" }],
  ["Korean", "ㅜ", "KeyN", { id: "next" }],
  ["Arabic, over the slash", "ظ", "Slash", { id: "search" }],
  // The character takes precedence over the key's position.
  ["Hebrew, a slash over Q", "/", "KeyQ", { id: "search" }],
  ["Dvorak", "o", "KeyS", undefined],
  ["Dvorak", "s", "Semicolon", { id: "shortlist" }],
  ["AZERTY", "q", "KeyA", undefined],
  ["Turkish F", "ğ", "KeyE", undefined],
  ["a dead key", "Dead", "KeyE", undefined],
])("a letter of the %s layout (%s)", (_, key, code, command) => {
  expect(press(key, code)).toEqual(command);
});

it("goes to the track before with Shift in another script too", () => {
  expect(press("Е", "KeyT", true)).toEqual({ id: "previousTrack" });
});
