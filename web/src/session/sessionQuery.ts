// The session as this tab knows it: one entry of the query cache, asked of the server and heard from other tabs.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { sendOwedSignOut } from "./owedSignOut.ts";
import { setSignedInHint, setVerifiedHint } from "./sessionHints.ts";
import type { SessionUser, SessionView } from "./types.ts";

const SESSION_URL = "/api/auth/session";
const SESSION_KEY = [SESSION_URL] as const;

/** From an answer that came before the session's next token did to the next look. */
const ASK_AGAIN_MS = 500;

/** What only the signed-in person may see; it leaves the cache with them. */
const OWN_READS = /^\/api\/(?:auth|profile|admin)\b/;

export interface HeldSession extends SessionView {
  /** Who was signed in until the session ended by itself or elsewhere; nobody once they are back or gave up. */
  ended: SessionUser | null;
  /** The second factor was right in this tab, and the session has not been read anew since. */
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

/** A sign-out on its way; a check that came before it would find the session still standing. */
let signingOut: Promise<unknown> = Promise.resolve();

/** Lets checks wait until `call` is answered or has failed. */
export function waitForSignOut(call: Promise<unknown>): void {
  signingOut = call.catch(() => undefined);
}

/** Settles once no sign-out is on its way. */
export function signedOut(): Promise<unknown> {
  return signingOut;
}

/**
 * Asks who is there. A change of rights retires the session's token, here or in another tab, before the answer that brings the next
 * one has come. In between the server knows nobody by it; that is no end of the session, and it is asked again.
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

/** Takes over what a call answered about the session. */
export function holdSession(client: QueryClient, view: SessionView): void {
  // A check on its way would bring an older answer back.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  client.setQueryData(sessionQuery.queryKey, follow(client, view));
}

/** The second factor was right. What else the session is by it, the next check says. */
export function holdFactorGiven(client: QueryClient): void {
  const held = heldSession(client);
  if (!held) return;
  // A check on its way may have been asked before it was.
  void client.cancelQueries({ queryKey: SESSION_KEY });
  client.setQueryData(sessionQuery.queryKey, { ...held, isFactorGiven: true });
}

/** Nobody is signed in here any more, on purpose: not by the session `left`, where that is known. */
export function holdNobody(client: QueryClient, left?: string): void {
  const present = heldSession(client)?.session?.id;
  if (left !== undefined && present !== undefined && present !== left) return;
  void client.cancelQueries({ queryKey: SESSION_KEY });
  // Leaving the second step of coming back gives up that step, not what waits for them.
  const ended = heldSession(client)?.ended ?? null;
  client.setQueryData(sessionQuery.queryKey, { ...VISITOR, ended });
  setVerifiedHint(false);
  setSignedInHint(false);
  if (!ended) forgetOwnReads(client);
}

/** Whoever's session ended has been told; what they left open may go. */
export function forgetEnded(client: QueryClient): void {
  const held = heldSession(client);
  if (!held?.ended) return;
  client.setQueryData(sessionQuery.queryKey, { ...held, ended: null });
  forgetOwnReads(client);
}

const ending = new WeakSet<QueryClient>();

/** From now on, until taken back, the end of the session is what its person asked for, and no news to them. */
export function expectEnd(client: QueryClient, isExpected: boolean): void {
  if (isExpected) ending.add(client);
  else ending.delete(client);
}

/** The next state: what the server says, and what it means after what was held before. */
function follow(client: QueryClient, view: SessionView): HeldSession {
  setVerifiedHint(view.mfa_verified);
  setSignedInHint(view.user !== null);
  const before = heldSession(client);
  const last = before?.ended ?? before?.user ?? null;
  if (last && view.user && last.id !== view.user.id) {
    forgetOwnReads(client);
    return { ...view, ended: null, isFactorGiven: false };
  }
  // Whoever comes back is there only after the second factor.
  const isBack = view.user !== null && !(before?.ended && isFactorPending(view));
  // What stood open while their session was over may have changed elsewhere.
  if (isBack && before?.ended) readOwnAnew(client);
  // An end that was told stays: what is expected is another one.
  const isExpected = ending.has(client) && !before?.ended;
  const ended = isBack || isExpected ? null : last;
  return { ...view, ended, isFactorGiven: false };
}

/** True while the account's second factor is still to be given in this session. */
export function isFactorPending(view: SessionView): boolean {
  return view.mfaRequired && !view.mfa_verified;
}

function forgetOwnReads(client: QueryClient): void {
  client.removeQueries({ predicate: isOwnRead });
}

/** Reads everything again that only this person reads, the session aside. */
export function readOwnAnew(client: QueryClient): void {
  void client.invalidateQueries({ predicate: isOwnRead });
}

function isOwnRead({ queryKey: [url] }: { queryKey: readonly unknown[] }): boolean {
  return typeof url === "string" && url !== SESSION_URL && OWN_READS.test(url);
}
