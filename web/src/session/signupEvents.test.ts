import { beforeEach, expect, it, vi } from "vitest";

const NAME = "deadwax.signup-events";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

it("reads what was kept under older names once, and keeps it under today's", async () => {
  const data = { attempts: 2, retry_after: 900, email_domain: "example.org" };
  const old = { event: "signup_rate_limited", timestamp_ms: 1_700_000_000_000, data };
  localStorage.setItem(NAME, JSON.stringify([old]));
  const { signupEvents } = await import("./signupEvents.ts");
  const today = {
    event: "signup_rate_limited",
    timestamp: 1_700_000_000_000,
    data: { attempts: 2, retryAfter: 900, email_domain: "example.org" },
  };
  expect(signupEvents.get()).toEqual([today]);
  expect(JSON.parse(localStorage.getItem(NAME) ?? "")).toEqual([today]);
});

it("writes nothing where nothing was kept", async () => {
  await import("./signupEvents.ts");
  expect(localStorage.getItem(NAME)).toBeNull();
});
