import { beforeEach, describe, expect, it, vi } from "vitest";
import { resetSignupState, settleClock, signupState, updateSignupState } from "./signupState.ts";

const KEY = "deadwax.signup";

const FRESH = {
  email: "",
  username: "",
  success: false,
  confirmed: false,
  cooldownUntil: 0,
  resendUsedAt: 0,
  attempts: 0,
  lastAttempt: 0,
};

beforeEach(() => localStorage.clear());

describe("what /signup remembers", () => {
  it("is written where a reload finds it, and cleared as a whole", () => {
    updateSignupState({ email: "mira@example.org", attempts: 2 });
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual({
      ...FRESH,
      email: "mira@example.org",
      attempts: 2,
    });
    resetSignupState();
    expect(localStorage.getItem(KEY)).toBeNull();
    expect(signupState()).toEqual(FRESH);
  });

  it("keeps what another tab wrote meanwhile", () => {
    updateSignupState({ email: "mira@example.org" });
    localStorage.setItem(KEY, JSON.stringify({ ...FRESH, cooldownUntil: 90_000, attempts: 4 }));
    updateSignupState({ username: "mira" });
    expect(signupState()).toEqual({
      ...FRESH,
      username: "mira",
      cooldownUntil: 90_000,
      attempts: 4,
    });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[1,2"],
    ["null", "null"],
    [
      "parts of other types",
      '{"email":7,"success":"yes","attempts":-1,"lastAttempt":1e400,"cooldownUntil":null}',
    ],
  ])("starts afresh from %s", (_, text) => {
    localStorage.setItem(KEY, text);
    expect(signupState()).toEqual(FRESH);
  });

  it("lives as long as the page where storage is full", () => {
    updateSignupState({ email: "old@example.org" });
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    updateSignupState({ email: "mira@example.org" });
    expect(signupState().email).toBe("mira@example.org");
    full.mockRestore();
    updateSignupState({ success: true });
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toMatchObject({
      email: "mira@example.org",
      success: true,
    });
  });

  it("lives as long as the page where storage is refused", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("refused", "SecurityError");
    });
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("refused", "SecurityError");
    });
    updateSignupState({ email: "mira@example.org" });
    expect(signupState().email).toBe("mira@example.org");
  });
});

describe("a clock that is set back", () => {
  it("takes the waits with it", () => {
    updateSignupState({ lastAttempt: 500_000, cooldownUntil: 560_000, resendUsedAt: 510_000 });
    settleClock(100_000);
    expect(signupState()).toMatchObject({
      lastAttempt: 100_000,
      cooldownUntil: 160_000,
      resendUsedAt: 100_000,
    });
  });

  it("changes nothing where nothing lies ahead", () => {
    updateSignupState({ lastAttempt: 500_000, cooldownUntil: 560_000, resendUsedAt: 490_000 });
    settleClock(510_000);
    expect(signupState()).toMatchObject({ lastAttempt: 500_000, cooldownUntil: 560_000 });
  });
});
