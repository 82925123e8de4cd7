// Sends what a visitor sees to the server, which counts it without knowing anyone (docs/reference.md#numbers-of-visits).
import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import type { Schemas } from "../api/client.ts";
import { readAhead } from "../api/readAhead.ts";
import { labelQuery } from "../api/siteContent.ts";
import { SEEN_AFTER_MS, SEEN_AGAIN_MS } from "../rules/generated/constants.ts";
import { heldSession, sessionQuery } from "./sessionQuery.ts";

const PATH = "/api/seen";

/** The places that are counted. Ids and slugs have at most 80 characters. */
const COUNTED =
  /^\/(?:(?:releases|artists|letters)(?:\/[\w-]{1,80})?|store|terminal|contact|privacy-policy|imprint|signup)?$/;

/** The pages of missing addresses, of failures and of maintenance. */
const NO_PLACE = "[data-error-page], [data-maintenance]";

type SeenEvent = Schemas["Seen"];

export type Platform = Schemas["Platform"];

type Source = Pick<Extract<SeenEvent, { event: "view" }>, "from" | "referrer">;

let client: QueryClient | undefined;
let place = "";
/** The events that count once in a visit of the present place. */
const once = new Set<string>();

/** Returns what led to this document. A letter's mark leaves the address, so that it is not passed on. */
export function takeSource(): Source {
  const address = new URL(location.href);
  const from = address.searchParams.get("from");
  if (from !== null) {
    address.searchParams.delete("from");
    history.replaceState(history.state, "", address);
  }
  // A reload keeps the referrer of the first load, which has counted.
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const referrer = load?.type !== "reload" && /^[^/]+\/\/([^/:]+)/.exec(document.referrer)?.[1];
  return {
    ...(from !== null && /^[\w-]{1,80}$/.test(from) && { from }),
    ...(referrer && referrer !== address.hostname && { referrer }),
  };
}

/** Begins to count; before, nothing is sent. */
export function countVisits(
  router: Pick<AnyRouter, "subscribe">,
  of: QueryClient,
  source: Source,
): void {
  client = of;
  place = "";
  let isPending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDemoOpen = false;
  const countedAt = new Map<string, number>();

  function count(): void {
    isPending = false;
    const now = Date.now();
    if (now - (countedAt.get(place) ?? 0) < SEEN_AGAIN_MS || document.querySelector(NO_PLACE))
      return;
    countedAt.set(place, now);
    seen({ event: "view", path: place, ...source });
    source = {};
  }

  // A hidden page begins its second anew: one in another tab, prerendered, or kept for Back.
  function wait(): void {
    clearTimeout(timer);
    if (isPending && document.visibilityState === "visible")
      timer = setTimeout(count, SEEN_AFTER_MS);
  }

  document.addEventListener("visibilitychange", wait);
  router.subscribe("onRendered", ({ toLocation: { pathname, search } }) => {
    if (pathname !== place) {
      place = pathname;
      once.clear();
      isPending = true;
      wait();
    }
    const wasDemoOpen = isDemoOpen;
    isDemoOpen = (search as { dialog?: string }).dialog === "demo";
    if (isDemoOpen && !wasDemoOpen) seen({ event: "demo" });
  });
}

/** Sends an event from the present place; with a name, once in its visit. Failures are ignored: it is only a number. */
export function seen(event: SeenEvent, name?: string): void {
  if (!client || !isCounted(client)) return;
  const key = `${event.event} ${name}`;
  if (name !== undefined && once.has(key)) return;
  once.add(key);
  void sendAsVisitor(client, event);
}

function isCounted(client: QueryClient): boolean {
  const { doNotTrack, globalPrivacyControl, webdriver } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  if (doNotTrack === "1" || globalPrivacyControl || webdriver || !COUNTED.test(place)) return false;
  return client.getQueryData(labelQuery.queryKey)?.counts_visits === true;
}

async function sendAsVisitor(client: QueryClient, event: SeenEvent): Promise<void> {
  await readAhead(client, sessionQuery);
  // Admins are not counted, nor unknown sessions, which may be theirs.
  if (heldSession(client)?.is_admin !== false) return;
  // Some tools for privacy remove it.
  navigator.sendBeacon?.(PATH, new Blob([JSON.stringify(event)], { type: "application/json" }));
}
