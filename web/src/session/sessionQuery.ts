// The session as this tab knows it: one cached read, updated by other tabs.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { components } from "../api/types/api.ts";
import { sendOwedSignOut } from "./owedSignOut.ts";
import { setSignedInHint, setVerifiedHint } from "./sessionHints.ts";

const SESSION_URL = "/api/auth/session";
const SESSION_KEY = [SESSION_URL] as const;

/** The pause after an answer that preceded the session's next token. */
const ASK_AGAIN_MS = 500;

/** Personal reads; they leave the cache with their person. */
const OWN_READS = /^\/api\/(?:auth|profile|admin)\b/;

interface HeldSession extends SessionView {
  /** The person whose session ended by itself or elsewhere, until they are back or give up. */
  ended: SessionUser | null;
  /** True if the second factor was right, until the session is read again. */
  isFactorGiven: boolean;
}

const VISITOR: HeldSession = {
  user: null,
  session: null,
  profile: null,
  admin: null,
  is_admin: false,
  auth_stage: "unauthenticated",
  mfaRequired: false,
  mfa_setup_required: false,
  mfa_verified: false,
  mfa_verified_until: null,
  expires_at: null,
  token_retired: false,
  ended: null,
  isFactorGiven: false,
};

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ client, signal }): Promise<HeldSession> => {
    try {
      return follow(client, await askSession(signal));
    } catch (error) {
      if (!signal.aborted) setVerifiedHint(false);
      throw error;
    }
  },
});

/** A pending sign-out; a check before it would find the old session. */
let signingOut: Promise<unknown> = Promise.resolve();

/** Makes checks wait until `call` settles. */
export function waitForSignOut(call: Promise<unknown>): void {
  signingOut = call.catch(() => undefined);
}

/** Settles once no sign-out is pending. */
export function signedOut(): Promise<unknown> {
  return signingOut;
}

/**
 * Reads the session. A change of rights retires the token before its answer brings the next one, here or in another
 * tab. In between the server knows no session; that is not its end, so it is read again.
 */
async function askSession(signal: AbortSignal): Promise<SessionView> {
  await signedOut();
  await sendOwedSignOut();
  for (;;) {
    const view = await call("GET", SESSION_URL, { signal });
    if (!view.token_retired) return view;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

export function heldSession(client: QueryClient): HeldSession | undefined {
  return client.getQueryData(sessionQuery.queryKey);
}

/** Whether the present person may open the dashboard. */
export function isAdminHere(client: QueryClient): boolean {
  const held = heldSession(client);
  return held?.is_admin === true && held.auth_stage === "authenticated";
}

/** Takes over a session that a call answered. */
export function holdSession(client: QueryClient, view: SessionView): void {
  // A pending check would bring an older answer.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  client.setQueryData(sessionQuery.queryKey, follow(client, view));
}

/** Records a right factor; the next check reads the rest. */
export function holdFactorGiven(client: QueryClient): void {
  const held = heldSession(client);
  if (!held?.user) return;
  // A pending check may be older.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  client.setQueryData(sessionQuery.queryKey, { ...held, isFactorGiven: true });
}

/** Ends the session in this tab on purpose; only the session `left`, if known. */
export function holdNobody(client: QueryClient, left?: string): void {
  const present = heldSession(client)?.session?.id;
  if (left !== undefined && present !== undefined && present !== left) return;
  void client.cancelQueries({ queryKey: SESSION_KEY });
  // Leaving the second step of a return gives up that step, not the page that waits.
  const ended = heldSession(client)?.ended ?? null;
  client.setQueryData(sessionQuery.queryKey, { ...VISITOR, ended });
  setVerifiedHint(false);
  setSignedInHint(false);
  if (!ended) forgetOwnReads(client);
}

/** Forgets an ended session, and what it left open. */
export function forgetEnded(client: QueryClient): void {
  const held = heldSession(client);
  if (!held?.ended) return;
  client.setQueryData(sessionQuery.queryKey, { ...held, ended: null });
  forgetOwnReads(client);
}

const ending = new WeakSet<QueryClient>();

/** While true, the end of the session is intended, and not reported. */
export function expectEnd(client: QueryClient, isExpected: boolean): void {
  if (isExpected) ending.add(client);
  else ending.delete(client);
}

/** The next state, from the server's answer and the state before. */
function follow(client: QueryClient, view: SessionView): HeldSession {
  setVerifiedHint(view.mfa_verified);
  setSignedInHint(view.user !== null);
  const before = heldSession(client);
  const last = before?.ended ?? before?.user ?? null;
  if (before && view.user && last?.id !== view.user.id) {
    // Also where a visitor was: an answer to the person before may have come since.
    forgetOwnReads(client);
    if (last) return { ...view, ended: null, isFactorGiven: false };
  }
  // The second factor has ceased to count: to the open page that is an end.
  const isLapsed = before && before.session?.id === view.session?.id && !isFactorPending(before);
  // A returning person is back only after the second factor.
  const isBack = view.user !== null && !(isFactorPending(view) && (before?.ended || isLapsed));
  // Open pages may be outdated.
  if (isBack && before?.ended) readOwnAnew(client);
  // A reported end stays; the expected one is another.
  const isExpected = ending.has(client) && !before?.ended;
  const ended = isBack || isExpected ? null : last;
  return { ...view, ended, isFactorGiven: false };
}

export function isFactorPending(view: SessionView): boolean {
  return view.mfaRequired && !view.mfa_verified;
}

function forgetOwnReads(client: QueryClient): void {
  client.removeQueries({ predicate: isOwnRead });
}

/** Reads all personal data again, except the session. */
export function readOwnAnew(client: QueryClient): void {
  void client.invalidateQueries({ predicate: isOwnRead });
}

function isOwnRead({ queryKey: [url] }: { queryKey: readonly unknown[] }): boolean {
  return typeof url === "string" && url !== SESSION_URL && OWN_READS.test(url);
}

type Schemas = components["schemas"];

type SessionUser = Schemas["UserView"];

/** The answer of `GET /api/auth/session`: nulls and false for visitors. */
export type SessionView = Omit<Schemas["SessionView"], "access_token" | "token_type">;
