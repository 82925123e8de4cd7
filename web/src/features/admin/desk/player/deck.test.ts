import { beforeEach, describe, expect, it } from "vitest";
import { fakePlayers, players } from "../../../../testing/deskScreen.tsx";
import { createDeck } from "./deck.ts";

beforeEach(fakePlayers);

/** The newest player has read how long its file is. */
function knowsLength(seconds: number): void {
  const player = players.at(-1);
  if (!player) throw new Error("nothing plays");
  Object.defineProperty(player, "duration", { value: seconds, configurable: true });
  player.dispatchEvent(new Event("durationchange"));
}

describe("a place in a sound", () => {
  it("is gone to", () => {
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    knowsLength(40);
    deck.seek(7);
    expect([deck.get().at, players.at(-1)?.currentTime]).toEqual([7, 7]);
    deck.seekTenth(5);
    expect([deck.get().at, players.at(-1)?.currentTime]).toEqual([20, 20]);
    deck.seek(70);
    expect(deck.get().at).toBe(40);
    deck.seek(-1);
    expect(deck.get().at).toBe(0);
  });

  it("that was asked for before the length is known is gone to once it is", () => {
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    deck.seekTenth(2);
    deck.seekTenth(5);
    expect(deck.get().at).toBe(0);
    knowsLength(40);
    expect([deck.get().at, players.at(-1)?.currentTime]).toEqual([20, 20]);
    // Once.
    deck.seek(3);
    knowsLength(41);
    expect(deck.get().at).toBe(3);
  });

  it("of what was left is not gone to in what came after it", () => {
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    deck.seekTenth(5);
    deck.open("two", "/two.mp3");
    knowsLength(40);
    expect(deck.get().at).toBe(0);
    deck.open("one", "/one.mp3");
    expect(deck.get().at).toBe(0);
  });
});
