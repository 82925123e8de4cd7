import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import type { LiveMessage } from "./stream.ts";
import { followChanges } from "./tab.ts";

/** Locks as in browsers: one holder at a time, in the order of requests. */
class FakeLocks {
  #held: Promise<unknown> = Promise.resolve();

  request(_name: string, options: { signal: AbortSignal }, hold: () => Promise<void>) {
    const turn = this.#held.then(() => (options.signal.aborted ? undefined : hold()));
    this.#held = turn;
    return turn;
  }
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
