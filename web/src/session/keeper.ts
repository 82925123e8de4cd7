// Keeps a session alive: checks it every half minute, and renews it in one tab.
import type { QueryClient } from "@tanstack/react-query";
import { apiError, call } from "../api/client.ts";
import { SESSION_TICK_MS } from "../rules/generated/constants.ts";
import { loadRules, withRules } from "../rules/rules.ts";
import { heldSession, holdSession, sessionQuery } from "./sessionQuery.ts";
import { tellTabs } from "./tabs.ts";

const LOCK = "deadwax-renew";

/** Keeps the session until the returned function is called. */
export function keepSession(client: QueryClient): () => void {
  const look = () => void lookAfter(client);
  // A sleeping tab has missed its ticks.
  const wake = () => {
    if (document.visibilityState === "visible") look();
  };
  void loadRules();
  const timer = setInterval(look, SESSION_TICK_MS);
  document.addEventListener("visibilitychange", wake);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", wake);
  };
}

async function lookAfter(client: QueryClient): Promise<void> {
  const held = heldSession(client);
  if (held?.mfa_verified_until && Date.parse(held.mfa_verified_until) <= Date.now()) {
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }
  if (isDue(client)) await inOneTab(() => renew(client));
}

/** Whether the rules want a renewal. Without the rules the session is not renewed: it outlives its renewal by days. */
function isDue(client: QueryClient): boolean {
  const expiresAt = heldSession(client)?.expires_at;
  if (!expiresAt) return false;
  return withRules((rules) => rules.sessionShouldRenew(Date.parse(expiresAt), Date.now())) ?? false;
}

async function inOneTab(work: () => Promise<void>): Promise<void> {
  // Locks need a secure context; elsewhere each tab renews, which the server tolerates.
  if (!navigator.locks) return work();
  await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

async function renew(client: QueryClient): Promise<void> {
  // The tab that had the lock before may have renewed it.
  if (!isDue(client)) return;
  const renewed = heldSession(client)?.session?.id;
  try {
    const view = await call("POST", "/api/auth/refresh");
    // Its person has left.
    if (heldSession(client)?.session?.id !== renewed) return;
    holdSession(client, view);
    tellTabs({ kind: "changed", view });
  } catch (error) {
    // An ended session is noticed elsewhere; other failures are retried at the next tick.
    if (apiError(error).status !== 401) {
      console.error("Renewing the session failed", error);
    }
  }
}
