import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../app/queryClient.ts";
import { loadRules } from "../rules/rules.ts";
import { answerCall, refuseCall } from "../testing/calls.ts";
import { aMember } from "../testing/people.ts";
import { keepSession } from "./keeper.ts";
import { heldSession, holdSession } from "./sessionQuery.ts";
import { followTabs } from "./tabs.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

/** Keeps a session that must be renewed at this time. */
async function keep(expiresAt: string) {
  await loadRules();
  const client = createQueryClient();
  holdSession(client, aMember({ expires_at: expiresAt }));
  return { client, stop: keepSession(client) };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["setInterval", "clearInterval", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the session keeper", () => {
  it("renews at the first tick with 90 seconds left, and once", async () => {
    const heard = answerCall("post", "/api/auth/refresh", {
      ...aMember({ expires_at: inSeconds(3_700) }),
    });
    const { client, stop } = await keep(inSeconds(151));
    const asked = vi.spyOn(globalThis, "fetch");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).not.toHaveBeenCalled();
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(heldSession(client)?.expires_at).toBe(inSeconds(3_700)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledOnce();
    expect(heard).toHaveLength(1);
    stop();
  });

  it("leaves it to the tab that is at it", async () => {
    const asked = vi.spyOn(globalThis, "fetch");
    vi.stubGlobal("navigator", {
      ...navigator,
      locks: { request: (_: string, __: object, work: (lock: null) => unknown) => work(null) },
    });
    const { stop } = await keep(inSeconds(10));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).not.toHaveBeenCalled();
    stop();
  });

  it("tells the other tabs what it renewed", async () => {
    answerCall("post", "/api/auth/refresh", { ...aMember({ expires_at: inSeconds(3_700) }) });
    const other = new BroadcastChannel("deadwax-session");
    const event = new Promise((resolve) => {
      other.onmessage = ({ data }) => resolve(data);
    });
    const { client, stop } = await keep(inSeconds(10));
    const leave = followTabs(client);
    vi.advanceTimersByTime(30_000);
    expect(await event).toMatchObject({ kind: "changed", view: { expires_at: inSeconds(3_700) } });
    other.close();
    leave();
    stop();
  });

  it("tries again at the next tick when nothing came of it", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const refused = refuseCall("post", "/api/auth/refresh", 503, { code: "busy" });
    const { client, stop } = await keep(inSeconds(80));
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(refused).toHaveLength(1));
    answerCall("post", "/api/auth/refresh", { ...aMember({ expires_at: inSeconds(3_700) }) });
    await vi.waitFor(() => expect(console.error).toHaveBeenCalled());
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(heldSession(client)?.expires_at).toBe(inSeconds(3_700)));
    stop();
  });
});
