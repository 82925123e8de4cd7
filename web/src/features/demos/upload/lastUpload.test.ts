import { afterEach, beforeEach, expect, it } from "vitest";
import { claim } from "./lastUpload.ts";

beforeEach(() => {
  const held = new Set<string>();
  const request = async (name: string, _: LockOptions, hold: (lock: object | null) => unknown) => {
    const isFree = !held.has(name);
    held.add(name);
    await hold(isFree ? {} : null);
    if (isFree) held.delete(name);
  };
  Object.defineProperty(navigator, "locks", { value: { request }, configurable: true });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, "locks");
});

function openPage() {
  let end: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { owned: claim("/api/demos/token-1", until), end };
}

/** Does something, and waits for what comes of it. */
async function settle(work: () => void) {
  work();
  await new Promise((settled) => setTimeout(settled));
}

const dispatch = (event: string) => settle(() => window.dispatchEvent(new Event(event)));

it("a page that is kept for Back leaves its upload to the next page, until it is back", async () => {
  const kept = openPage();
  expect(await kept.owned).toBe(true);
  expect(await openPage().owned).toBe(false);
  await dispatch("pagehide");
  const next = openPage();
  expect(await next.owned).toBe(true);
  await settle(next.end);
  await dispatch("pageshow");
  expect(await openPage().owned).toBe(false);
  await settle(kept.end);
  await dispatch("pageshow");
  expect(await openPage().owned).toBe(true);
});
