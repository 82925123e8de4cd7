import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import type { LiveMessage } from "./stream.ts";
import { followChanges } from "./tab.ts";

/** Locks as in browsers: one holder at a time, in the order of requests, until one of them steals. */
class FakeLocks {
  readonly #waiting: (() => void)[] = [];
  #takeAway: (() => void) | undefined;

  request(_name: string, { signal, steal }: LockOptions, hold: () => Promise<void>) {
    return new Promise<void>((resolve, reject) => {
      const takeAway = () => reject(new DOMException("taken away", "AbortError"));
      const take = async () => {
        this.#takeAway = takeAway;
        await Promise.resolve();
        if (!signal?.aborted) await hold();
        resolve();
        if (this.#takeAway === takeAway) this.#next();
      };
      signal?.addEventListener("abort", takeAway);
      if (steal) this.#takeAway?.();
      if (steal || !this.#takeAway) void take();
      else this.#waiting.push(take);
    });
  }

  #next() {
    this.#takeAway = undefined;
    this.#waiting.shift()?.();
  }
}

/** Holds the lock as a tab that sleeps and says nothing, until the returned function is called. */
function sleepWith(options: LockOptions) {
  let end: () => void = () => undefined;
  const sleep = new Promise<void>((resolve) => {
    end = resolve;
  });
  navigator.locks.request("deadwax-live", options, () => sleep).catch(() => undefined);
  return end;
}

/** Time for the tabs' messages, and then for the next question to the leader. */
async function passTime() {
  await new Promise((wake) => setTimeout(wake, 20));
  vi.advanceTimersByTime(5_000);
}

const CHANGE = { table: "releases", op: "update", key: "k" };

describe("the tabs of one browser", () => {
  const open: (() => void)[] = [];

  beforeEach(() => {
    Object.defineProperty(navigator, "locks", { value: new FakeLocks(), configurable: true });
  });
  afterEach(() => {
    for (const close of open.splice(0)) close();
    Reflect.deleteProperty(navigator, "locks");
  });

  function openTab(after?: number) {
    const heard: LiveMessage[] = [];
    const close = followChanges({
      after,
      waitBefore: () => 1_000,
      onMessage: (message) => heard.push(message),
    });
    open.push(close);
    return { heard, close };
  }

  it("share one stream, and all hear what it says", async () => {
    const first = openTab(5);
    const second = openTab(5);
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
    FakeEventSource.current.say("change", CHANGE, "6");
    const change = { kind: "change", table: "releases", key: CHANGE.key, id: 6 };
    await vi.waitFor(() => expect(second.heard).toEqual([change]));
    expect(first.heard).toEqual([change]);
    expect(FakeEventSource.opened).toHaveLength(1);
  });

  it("hand over when the leading one closes, without losing their place", async () => {
    const first = openTab(5);
    const second = openTab(5);
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
    FakeEventSource.current.say("change", CHANGE, "6");
    await vi.waitFor(() => expect(second.heard).toHaveLength(1));
    first.close();
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
    expect(FakeEventSource.current.url).toBe("/api/events?after=6");
  });

  it("read again where they opened with data older than what was already passed on", async () => {
    openTab(5);
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
    FakeEventSource.current.say("change", CHANGE, "6");
    const late = openTab(5);
    await vi.waitFor(() => expect(late.heard).toEqual([{ kind: "gap" }]));
    const current = openTab(6);
    FakeEventSource.current.say("change", CHANGE, "7");
    await vi.waitFor(() =>
      expect(current.heard).toEqual([
        { kind: "change", table: "releases", key: CHANGE.key, id: 7 },
      ]),
    );
  });

  it("read again where their data is older, though its position is the larger number", async () => {
    openTab(50);
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
    FakeEventSource.current.say("change", CHANGE, "6");
    const late = openTab(50);
    await vi.waitFor(() => expect(late.heard).toEqual([{ kind: "gap" }]));
  });

  describe("of which one sleeps", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    });
    afterEach(() => {
      vi.useRealTimers();
      Reflect.deleteProperty(document, "hidden");
    });

    it("have one in sight take its lead, which does not answer", async () => {
      sleepWith({});
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      openTab(5);
      for (let turn = 0; turn < 5; turn += 1) await passTime();
      expect(FakeEventSource.opened).toHaveLength(0);
      Reflect.deleteProperty(document, "hidden");
      await passTime();
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
      expect(FakeEventSource.current.url).toBe("/api/events?after=5");
      for (let turn = 0; turn < 5; turn += 1) await passTime();
      expect(FakeEventSource.opened).toHaveLength(1);
    });

    it("follow it where it took the lead, and lead again when it is silent", async () => {
      openTab(5);
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
      const [first] = FakeEventSource.opened;
      first?.say("change", CHANGE, "6");
      sleepWith({ steal: true });
      await vi.waitFor(() => expect(first?.readyState).toBe(FakeEventSource.CLOSED));
      expect(FakeEventSource.opened).toHaveLength(1);
      await passTime();
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
      expect(FakeEventSource.current.url).toBe("/api/events?after=6");
    });

    it("wait for its end in the background", async () => {
      openTab(5);
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      const end = sleepWith({ steal: true });
      for (let turn = 0; turn < 5; turn += 1) await passTime();
      expect(FakeEventSource.opened).toHaveLength(1);
      end();
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
    });

    it("read again where the one that takes the lead is ahead of them, and follow it", async () => {
      sleepWith({});
      const ahead = openTab(7);
      vi.advanceTimersByTime(2_000);
      const behind = openTab(5);
      vi.advanceTimersByTime(3_000);
      await vi.waitFor(() => expect(behind.heard).toEqual([{ kind: "gap" }]));
      for (let turn = 0; turn < 5; turn += 1) await passTime();
      expect(FakeEventSource.opened.map(({ url }) => url)).toEqual(["/api/events?after=7"]);
      expect([...ahead.heard, ...behind.heard]).toHaveLength(1);
    });

    it("leave the lead to one that answers", async () => {
      const first = openTab(5);
      const second = openTab(5);
      await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
      for (let turn = 0; turn < 5; turn += 1) await passTime();
      expect(FakeEventSource.opened).toHaveLength(1);
      expect([...first.heard, ...second.heard]).toEqual([]);
    });
  });

  it("listen each for itself where the browser has no locks", () => {
    Reflect.deleteProperty(navigator, "locks");
    openTab();
    openTab();
    expect(FakeEventSource.opened).toHaveLength(2);
  });
});

it("a browser without channels or streams has tabs that are alone, and current when they are read again", () => {
  Object.defineProperty(navigator, "locks", { value: new FakeLocks(), configurable: true });
  vi.stubGlobal("BroadcastChannel", undefined);
  const options = { after: 3, waitBefore: () => 1_000, onMessage: () => undefined };
  const close = followChanges(options);
  expect(FakeEventSource.opened).toHaveLength(1);
  close();
  const { opened } = FakeEventSource;
  vi.stubGlobal("EventSource", undefined);
  followChanges(options)();
  expect(opened).toHaveLength(1);
  vi.unstubAllGlobals();
  vi.stubGlobal("EventSource", FakeEventSource);
  Reflect.deleteProperty(navigator, "locks");
});

it("tabs are alone where the browser refuses channels and locks", async () => {
  const refusal = new DOMException("refused", "SecurityError");
  const locks = { request: () => Promise.reject(refusal) };
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        throw refusal;
      }
    },
  );
  const options = { after: 3, waitBefore: () => 1_000, onMessage: () => undefined };
  const close = followChanges(options);
  await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
  close();
  followChanges(options)();
  await new Promise((settled) => setTimeout(settled));
  expect(FakeEventSource.opened).toHaveLength(1);
  vi.unstubAllGlobals();
  vi.stubGlobal("EventSource", FakeEventSource);
  Reflect.deleteProperty(navigator, "locks");
});
