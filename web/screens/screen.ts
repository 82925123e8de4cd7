// A screen to take a picture of, and the way to a tab of the dashboard.
import { expect, type Page } from "@playwright/test";
import type { Label } from "./label.ts";
import { NOW } from "./stage.ts";

export interface Screen {
  /** Name of its files. */
  name: string;
  /** Title in the index. */
  title: string;
  group: "Public pages" | "Dialogs" | "Accounts" | "Dashboard";
  /** The viewer; a visitor by default. */
  as?: "member" | "admin";
  /** Whether the picture shows a dialog instead of the page. */
  isDialog?: boolean;
  /** The only width to show; all of them by default. */
  only?: number;
  open: (page: Page, label: Label) => Promise<unknown>;
  /** Restores the label. */
  leave?: (label: Label) => Promise<unknown>;
}

/** Sign-up events stored in a browser. */
const EVENTS = [
  ["signup_success", 0.2, { email_domain: "label.example" }],
  ["signup_attempt", 0.2, {}],
  ["signup_error", 20, { attempts: 2 }],
  ["signup_rate_limited", 50, { retry_after: 900 }],
  ["signup_success", 75, { email_domain: "listeners.example" }],
  ["signup_attempt", 75, {}],
  ["resend_success", 170, {}],
].map(([event, hours, data]) => ({ event, timestamp_ms: NOW - Number(hours) * 3_600_000, data }));

/** Opens a tab of the dashboard and waits for its rows. */
export async function openTab(page: Page, id: string): Promise<void> {
  await page.addInitScript(
    (events) => localStorage.setItem("deadwax.signup-events", events),
    JSON.stringify(EVENTS),
  );
  await page.goto(`/admin?tab=${id}`);
  await expect(page.getByRole("tab", { selected: true })).toBeVisible();
  await expect(page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first()).toBeVisible();
}
