import { HttpResponse } from "msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFile } from "../../../testing/demoDialog.ts";
import { refusal, serveTus } from "../../../testing/tusServer.ts";
import { type TransferState, transfer } from "./transfer.ts";

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it("starts once when the connection is back before the failure was judged", async () => {
  const tus = serveTus();
  tus.instead = (method) => (method === "PATCH" ? HttpResponse.error() : undefined);
  const file = aFile();
  const judging = deferred<ArrayBuffer>();
  const slice = vi.spyOn(file, "slice").mockImplementation((from, to) => {
    const part = File.prototype.slice.call(file, from, to);
    if (to === 1) part.arrayBuffer = () => judging.promise;
    return part;
  });
  const states: TransferState[] = [];
  const { signal } = new AbortController();
  const sent = transfer(
    file,
    { replaces: "x" },
    { signal, onState: (state) => states.push(state) },
  );
  await vi.waitFor(() => expect(slice).toHaveBeenCalledWith(0, 1));
  vi.setSystemTime(Date.now() + 4_000);
  const asking = deferred<undefined>();
  tus.instead = (method) => (method === "HEAD" ? asking.promise : undefined);
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(tus.calls).toContain("HEAD token-1"));
  judging.resolve(new ArrayBuffer(1));
  await new Promise((wake) => setTimeout(wake, 0));
  expect(states.map(({ at }) => at)).not.toContain("waiting");
  asking.resolve(undefined);
  await sent;
  expect(tus.calls).toEqual(["POST", "PATCH token-1", "HEAD token-1", "PATCH token-1"]);
});

it("does not count the answers of a busy server as trouble", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const tus = serveTus();
  const busy = () => refusal(503, { code: "busy", detail: "Busy.", retry_after: 5 });
  const answers = [busy, busy, busy, busy, busy, () => new HttpResponse(null, { status: 502 })];
  tus.instead = (method) => (method === "PATCH" ? answers.shift()?.() : undefined);
  const { signal } = new AbortController();
  const onState = ({ at }: TransferState) =>
    at === "waiting" && vi.advanceTimersByTimeAsync(10_000);
  await transfer(aFile(), { replaces: "x" }, { signal, onState });
  expect(answers).toEqual([]);
});
