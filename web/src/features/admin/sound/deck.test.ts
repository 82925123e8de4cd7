import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakePlayers, players, playTo, started } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { createDeck } from "./deck.ts";

beforeEach(fakePlayers);

/** Reports the duration to the newest player. */
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
    // Only once.
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

describe("a player that has failed", () => {
  const NETWORK_ERROR = 2;

  /** Makes every new player fail as soon as it loads something. */
  function failing(): { players: HTMLAudioElement[]; stop: () => void } {
    const made: HTMLAudioElement[] = [];
    const src = vi.spyOn(HTMLMediaElement.prototype, "src", "set").mockImplementation(function (
      this: HTMLMediaElement,
      source: string,
    ) {
      this.setAttribute("src", source);
      made.push(this as HTMLAudioElement);
      fail(this);
    });
    return { players: made, stop: () => src.mockRestore() };
  }
  function fail(player: HTMLMediaElement | undefined, code = NETWORK_ERROR): void {
    if (!player) throw new Error("nothing plays");
    Object.defineProperty(player, "error", { value: { code }, configurable: true });
    player.dispatchEvent(new Event("error"));
  }

  it("while it was only ready is another one when it is opened", () => {
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    const broken = failing();
    deck.prepare("/two.mp3");
    broken.stop();
    deck.open("two", "/two.mp3");
    expect(started.at(-1)).toBe("/two.mp3");
    expect(broken.players).not.toContain(players.at(-1));
    expect(deck.get()).toMatchObject({ isPlaying: true, trouble: undefined });
  });

  it("for want of the server says so, and is another one, at the same place, when it is played again", async () => {
    server.use(http.get("*/one.mp3", () => HttpResponse.error()));
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    knowsLength(40);
    deck.seek(7);
    fail(players.at(-1));
    await vi.waitFor(() => expect(deck.get().trouble).toBe("unreachable"));
    const before = players.at(-1);
    deck.toggle();
    expect(players.at(-1)).not.toBe(before);
    expect(deck.get()).toMatchObject({ isPlaying: true, trouble: undefined });
    knowsLength(40);
    expect([deck.get().at, players.at(-1)?.currentTime]).toEqual([7, 7]);
  });

  it("as it was to play does not play", async () => {
    server.use(http.get("*/one.mp3", () => HttpResponse.error()));
    // Browsers do not set `paused` here.
    vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (
      this: HTMLMediaElement,
    ) {
      Object.defineProperty(this, "paused", { value: false, configurable: true });
      this.dispatchEvent(new Event("play"));
      fail(this, 4);
      return Promise.reject(new Error("no supported source"));
    });
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    await vi.waitFor(() => expect(deck.get().trouble).toBe("unreachable"));
    expect(deck.get().isPlaying).toBe(false);
  });

  it.each([
    ["missing", 404],
    ["unreachable", 502],
    ["unplayable", 206],
  ])("says that the file is %s where the server answers %s", async (trouble, status) => {
    server.use(http.get("*/one.mp3", () => new HttpResponse(null, { status })));
    const deck = createDeck();
    deck.open("one", "/one.mp3");
    fail(players.at(-1), 4);
    await vi.waitFor(() => expect(deck.get().trouble).toBe(trouble));
  });
});

describe("what was heard", () => {
  function listening(...kept: boolean[]) {
    const onHeard = vi.fn(async () => kept.shift() ?? true);
    const deck = createDeck();
    deck.listen({ onHeard, onEnded: () => undefined });
    return { deck, onHeard };
  }

  it("is reported once for a recording, and again for another one in its place", async () => {
    const { deck, onHeard } = listening();
    deck.open("demo one.mp3", "/one.mp3");
    playTo(60);
    expect(onHeard).toHaveBeenCalledOnce();
    deck.open("demo two.mp3", "/two.mp3");
    playTo(5);
    expect(onHeard).toHaveBeenCalledOnce();
    playTo(60, 5);
    expect(onHeard).toHaveBeenCalledTimes(2);
  });

  it("is reported again where it was not kept, after as much more", async () => {
    const { deck, onHeard } = listening(false);
    deck.open("one", "/one.mp3");
    playTo(22);
    await Promise.resolve();
    await vi.waitFor(() => expect(onHeard).toHaveBeenCalledOnce());
    playTo(30, 22);
    expect(onHeard).toHaveBeenCalledOnce();
    playTo(60, 30);
    expect(onHeard).toHaveBeenCalledTimes(2);
    await Promise.resolve();
    playTo(120, 60);
    expect(onHeard).toHaveBeenCalledTimes(2);
  });
});
