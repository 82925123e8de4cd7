// What a screen is that there is a picture of, and the way to a tab of the dashboard.
import { expect, type Page } from "@playwright/test";
import type { Label } from "./label.ts";
import { NOW } from "./stage.ts";

export interface Screen {
  /** Of its files. */
  name: string;
  /** What it shows, for the index. */
  title: string;
  group: "Public pages" | "Dialogs" | "Accounts" | "Dashboard";
  /** Who looks at it; a visitor where it says nobody. */
  as?: "member" | "admin";
  /** True where a dialog is the picture, and not the page below it. */
  isDialog?: boolean;
  /** The only width it is seen at; all of them where it says none. */
  only?: number;
  open: (page: Page, label: Label) => Promise<unknown>;
  /** Puts the label back as it was. */
  leave?: (label: Label) => Promise<unknown>;
}

/** What a browser that made some sign-ups remembers of them. */
const EVENTS = [
  ["signup_success", 0.2, { email_domain: "label.example" }],
  ["signup_attempt", 0.2, {}],
  ["signup_error", 20, { attempts: 2 }],
  ["signup_rate_limited", 50, { retry_after: 900 }],
  ["signup_success", 75, { email_domain: "listeners.example" }],
  ["signup_attempt", 75, {}],
  ["resend_success", 170, {}],
].map(([event, hours, data]) => ({ event, timestamp_ms: NOW - Number(hours) * 3_600_000, data }));

/** Opens a tab of the dashboard, whose rows are there then. */
export async function openTab(page: Page, id: string): Promise<void> {
  await page.addInitScript(
    (events) => localStorage.setItem("deadwax.signup-events", events),
    JSON.stringify(EVENTS),
  );
  await page.goto(`/admin?tab=${id}`);
  await expect(page.getByRole("tab", { selected: true })).toBeVisible();
  await expect(page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first()).toBeVisible();
}
