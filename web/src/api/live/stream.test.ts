import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { type LiveMessage, openStream } from "./stream.ts";

/** Replaces the rule: the test checks that its delays are used, whatever they are. */
const WAITS = [10, 20, 50] as const;
const waitBefore = (attempt: number) => WAITS[Math.min(attempt, 2)] ?? WAITS[2];

describe("the event stream", () => {
  const heard: LiveMessage[] = [];
  let close: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    heard.length = 0;
  });
  afterEach(() => {
    close();
    vi.useRealTimers();
  });

  function open(options: { after?: number; wait?: (attempt: number) => number } = {}) {
    close = openStream({
      after: options.after,
      waitBefore: options.wait ?? waitBefore,
      onMessage: (message) => heard.push(message),
    });
  }

  it("goes on after the event the page was served with", () => {
    open({ after: 41 });
    expect(FakeEventSource.current.url).toBe("/api/events?after=41");
  });

  it("passes changes on with their place in the log", () => {
    open();
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "insert", key: "k" }, "42");
    expect(heard).toEqual([{ kind: "change", table: "artists", key: "k", id: 42 }]);
  });

  it("waits as the rule says between tries, and starts over after a success", () => {
    open({ after: 1 });
    FakeEventSource.current.open();
    for (const wait of [10, 20, 50, 50]) {
      const tries = FakeEventSource.opened.length;
      FakeEventSource.current.break();
      vi.advanceTimersByTime(wait - 1);
      expect(FakeEventSource.opened).toHaveLength(tries);
      vi.advanceTimersByTime(1);
      expect(FakeEventSource.opened).toHaveLength(tries + 1);
    }
    FakeEventSource.current.open();
    FakeEventSource.current.break();
    vi.advanceTimersByTime(10);
    expect(FakeEventSource.opened).toHaveLength(6);
  });

  it("says that it is lost whenever a try fails, and once that there was a gap when it is back", () => {
    open({ after: 1 });
    FakeEventSource.current.open();
    FakeEventSource.current.break();
    vi.advanceTimersByTime(10);
    FakeEventSource.current.break();
    vi.advanceTimersByTime(20);
    FakeEventSource.current.open();
    expect(heard).toEqual([{ kind: "lost" }, { kind: "lost" }, { kind: "gap" }]);
  });

  it("goes on after the last event it heard, or the one the server named first", () => {
    open();
    FakeEventSource.current.open();
    FakeEventSource.current.say("hello", { last: 7 });
    FakeEventSource.current.break();
    vi.advanceTimersByTime(10);
    expect(FakeEventSource.current.url).toBe("/api/events?after=7");
    FakeEventSource.current.say("change", { table: "artists", op: "insert", key: "k" }, "9");
    FakeEventSource.current.break();
    vi.advanceTimersByTime(20);
    expect(FakeEventSource.current.url).toBe("/api/events?after=9");
  });

  it("has everything read again when the server cannot resume", () => {
    open({ after: 1 });
    FakeEventSource.current.open();
    FakeEventSource.current.say("resync", {}, "90");
    expect(heard).toEqual([{ kind: "gap" }]);
  });

  it("tries on where the browser gave up", () => {
    open();
    FakeEventSource.current.break({ isGivenUp: true });
    vi.advanceTimersByTime(10_000);
    expect(FakeEventSource.opened).toHaveLength(2);
  });

  it("goes on anew after the machine slept, whose sleep no stream notices", () => {
    open({ after: 1 });
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "artists", op: "insert", key: "k" }, "9");
    vi.advanceTimersByTime(600_000);
    expect(FakeEventSource.opened).toHaveLength(1);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(15_000);
    expect(FakeEventSource.opened).toHaveLength(2);
    expect(FakeEventSource.current.url).toBe("/api/events?after=9");
    FakeEventSource.current.open();
    expect(heard).toEqual([{ kind: "change", table: "artists", key: "k", id: 9 }]);
  });

  it("goes on anew, without waiting, when the line is back", () => {
    open({ after: 1 });
    FakeEventSource.current.open();
    globalThis.dispatchEvent(new Event("online"));
    expect(FakeEventSource.opened).toHaveLength(2);
    FakeEventSource.current.break();
    globalThis.dispatchEvent(new Event("online"));
    expect(FakeEventSource.opened).toHaveLength(3);
    FakeEventSource.current.open();
    vi.advanceTimersByTime(1_000);
    expect(FakeEventSource.opened).toHaveLength(3);
    expect(heard).toEqual([{ kind: "lost" }, { kind: "gap" }]);
  });

  it("is silent after it was closed", () => {
    open();
    FakeEventSource.current.break();
    close();
    globalThis.dispatchEvent(new Event("online"));
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(60_000);
    expect(FakeEventSource.opened).toHaveLength(1);
  });
});
