import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { loadRules } from "../../../rules/rules.ts";
import { recordSignupEvent } from "../../../session/signupEvents.ts";
import { openTab } from "../../../testing/backOffice.ts";

const KEY = "deadwax.signup-events";
const HOUR = 3_600_000;

beforeEach(() => localStorage.clear());

const event = (name: string, age: number, data: object = {}) => ({
  event: name,
  timestamp: Date.now() - age,
  data,
});

describe("the analytics", () => {
  it("says what it shows, also while there is nothing", async () => {
    openTab("analytics");
    expect(await screen.findByText(/made in this browser, and no others/)).toBeTruthy();
    expect(screen.getByText("No events in this browser yet")).toBeTruthy();
  });

  it("names only what is known of an event recorded on this page", async () => {
    await loadRules();
    recordSignupEvent("resend_success", { email: "a@example.org" });
    openTab("analytics");
    const row = await screen.findByText("resend_success");
    expect(row.nextElementSibling?.textContent).toBe("example.org");
  });

  it("counts by name and lists the newest first", async () => {
    localStorage.setItem(
      KEY,
      JSON.stringify([
        event("signup_success", 60_000, { email_domain: "example.org" }),
        event("signup_rate_limited", HOUR, { retryAfter: 900 }),
        event("signup_error", 2 * HOUR, { attempts: 2 }),
        event("signup_attempt", 30 * HOUR),
      ]),
    );
    openTab("analytics");
    const list = within(await screen.findByRole("list", { name: "Recent Events" }));
    expect(list.getAllByRole("listitem").map((item) => item.firstChild?.textContent)).toEqual([
      "signup_success",
      "signup_rate_limited",
      "signup_error",
      "signup_attempt",
    ]);
    const counts = await screen.findAllByRole("definition");
    expect(counts.map((count) => count.textContent)).toEqual(["4", "1", "1", "1", "3"]);
    expect(list.getByText("example.org")).toBeTruthy();
    expect(list.getByText("wait 900 s")).toBeTruthy();
    expect(list.getByText("attempt 2")).toBeTruthy();
    const chart = screen.getByRole("img", { name: /4 events in the last 14 days/ });
    const bars = [...chart.querySelectorAll("title")].map(({ textContent }) => textContent);
    expect(bars).toHaveLength(14);
    for (const bar of bars) expect(bar).toMatch(/^\d{4}\.\d{2}\.\d{2}: \d, \d failed$/);
  });
});
