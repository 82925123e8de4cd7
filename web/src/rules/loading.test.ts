// Loading the rules: with a timeout, repeatable, and without uncaught errors.
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { server } from "../testing/fakeApi.ts";

const WASM = "*/rules_wasm_bg.wasm";

/** Imports the module as on a fresh page. */
async function freshPage() {
  vi.resetModules();
  return import("./rules.ts");
}

function breakOff(): { asked: number } {
  const heard = { asked: 0 };
  server.use(
    http.get(WASM, () => {
      heard.asked += 1;
      return HttpResponse.error();
    }),
  );
  return heard;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a load that fails", () => {
  it("is begun afresh by a later call, and succeeds", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    breakOff();
    const { loadRules, rulesState, withRules } = await freshPage();
    expect(await loadRules()).toBe(false);
    expect(rulesState.get()).toBe("absent");
    server.resetHandlers();
    vi.advanceTimersByTime(10_000);
    expect(await loadRules()).toBe(true);
    expect(rulesState.get()).toBe("ready");
    expect(withRules((rules) => rules.dateLabel("2026-10-02"))).toBe("2026.10.02");
  });

  it("is no load: an answer that is not the rules", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    server.use(http.get(WASM, () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })));
    const { loadRules } = await freshPage();
    expect(await loadRules()).toBe(false);
    server.use(http.get(WASM, () => new HttpResponse("<h1>Sign in to the hotel</h1>")));
    vi.advanceTimersByTime(10_000);
    expect(await loadRules()).toBe(false);
    server.resetHandlers();
    vi.advanceTimersByTime(10_000);
    expect(await loadRules()).toBe(true);
  });

  it("is logged once and asked for once, however often a form asks", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const heard = breakOff();
    const { loadRules } = await freshPage();
    for (let keystroke = 0; keystroke < 20; keystroke += 1) expect(await loadRules()).toBe(false);
    expect(heard.asked).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(await loadRules()).toBe(false);
    expect(heard.asked).toBe(2);
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe("a load that hangs", () => {
  it("is waited for three seconds, once; what comes later is taken", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.get(WASM, async () => {
        await held;
        return undefined;
      }),
    );
    const { loadRules, rulesState } = await freshPage();
    const first = loadRules();
    expect(rulesState.get()).toBe("loading");
    await vi.advanceTimersByTimeAsync(2_900);
    expect(rulesState.get()).toBe("loading");
    await vi.advanceTimersByTimeAsync(200);
    expect(await first).toBe(false);
    expect(rulesState.get()).toBe("absent");
    // A second caller does not wait for the same load again.
    expect(await loadRules()).toBe(false);
    const come = new Promise<void>((resolve) => rulesState.subscribe(() => resolve()));
    release();
    await come;
    expect(rulesState.get()).toBe("ready");
    expect(await loadRules()).toBe(true);
  });

  it("does not hang the page", async () => {
    server.use(http.get(WASM, () => delay("infinite")));
    const { loadRules } = await freshPage();
    const first = loadRules();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await first).toBe(false);
  });
});

it("a rule that fails ends the checks for all who go by them", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { loadRules, rulesState, withRules } = await freshPage();
  expect(await loadRules()).toBe(true);
  const listener = vi.fn();
  rulesState.subscribe(listener);
  const broken = () => {
    throw new Error("unreachable");
  };
  expect(withRules(broken)).toBeUndefined();
  // Not during a render.
  expect(listener).not.toHaveBeenCalled();
  await Promise.resolve();
  expect(listener).toHaveBeenCalledOnce();
  expect(rulesState.get()).toBe("absent");
});
