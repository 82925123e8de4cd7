// This browser's record of its sign-ups, for the dashboard's counters. It never leaves the browser, and keeps only the
// domain of an address.
import { type Rules, withRules } from "../rules/rules.ts";
import { createBrowserStore } from "./browserStore.ts";

export type SignupEvent = Parameters<Rules["recordSignupEvent"]>[1];
type EventName = SignupEvent["event"];

interface EventDetails {
  email?: string;
  attempts?: number;
  retryAfter?: number;
}

const NAMES: Record<EventName, true> = {
  signup_attempt: true,
  signup_success: true,
  signup_rate_limited: true,
  signup_error: true,
  signup_exception: true,
  resend_success: true,
  resend_error: true,
};

const store = createBrowserStore<SignupEvent[]>("deadwax.signup-events", (found) =>
  Array.isArray(found) ? found.flatMap(readEvent) : [],
);

// Rewrites the record of older versions under today's names.
if (store.get().length > 0) store.update((events) => events);

/** The events, newest first. */
export const signupEvents: Pick<typeof store, "get" | "subscribe"> = store;

/** Adds an event; the rules say how many are kept. */
export function recordSignupEvent(event: EventName, details: EventDetails = {}): void {
  const { email, attempts, retryAfter } = details;
  // Only the rules know what may be kept of an address. Without them there is no record.
  withRules((rules) => {
    const data = {
      attempts: attempts ?? null,
      retryAfter: retryAfter ?? null,
      email_domain: email === undefined ? null : rules.emailDomain(email),
    };
    store.update((events) =>
      rules.recordSignupEvent(events, { event, timestamp: Date.now(), data }),
    );
  });
}

/** Parses a stored event, under older names too; storage can hold anything. */
function readEvent(found: unknown): SignupEvent[] {
  const { event, timestamp_ms, timestamp = timestamp_ms, data } = asRecord(found);
  if (typeof event !== "string" || !(event in NAMES) || typeof timestamp !== "number") return [];
  const { attempts, retry_after, retryAfter = retry_after, email_domain } = asRecord(data);
  return [
    {
      event: event as EventName,
      timestamp,
      data: {
        attempts: asCount(attempts),
        retryAfter: asCount(retryAfter),
        email_domain: typeof email_domain === "string" ? email_domain : null,
      },
    },
  ];
}

function asRecord(found: unknown): Record<string, unknown> {
  return typeof found === "object" && found !== null ? { ...found } : {};
}

function asCount(found: unknown): number | null {
  return Number.isInteger(found) && (found as number) >= 0 && (found as number) < 2 ** 32
    ? (found as number)
    : null;
}
