// Calls that the server accepts only with a fresh password or second factor: asks for it, and repeats the call.
// `ChallengeHost` shows the question.
import { createAtom } from "@tanstack/react-store";
import { apiError } from "../api/client.ts";

export type Challenge = "password" | "factor";

interface Asking {
  readonly challenge: Challenge;
  /** Its purpose, as it follows `To`: "change your password". */
  readonly aim: string;
  /** Ends the question; true if the person passed. */
  readonly settle: (hasPassed: boolean) => void;
}

const CHALLENGE_OF: Readonly<Record<string, Challenge>> = {
  reauthentication_needed: "password",
  mfa_required: "factor",
  mfa_verification_needed: "factor",
};

/** The person cancelled the challenge; nothing was changed, and no message is needed. */
export class ChallengeCancelled extends Error {
  override readonly name = "ChallengeCancelled";
}

export function isCancelled(error: unknown): boolean {
  return error instanceof ChallengeCancelled;
}

/** The question that waits for an answer. */
export const challengeAtom = createAtom<Asking | null>(null);

/**
 * Makes a call for `aim`; if the server demands a challenge, asks for it and repeats the call. Throws
 * `ChallengeCancelled` if the person declines, otherwise what the call throws.
 */
export async function withChallenges<T>(call: () => Promise<T>, aim: string): Promise<T> {
  const passed = new Set<Challenge>();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const challenge = CHALLENGE_OF[apiError(error).code];
      // Once each: a server that never accepts must not keep a person typing.
      if (challenge === undefined || passed.has(challenge)) throw error;
      if (!(await ask(challenge, aim))) throw new ChallengeCancelled();
      passed.add(challenge);
    }
  }
}

/** Asks before any call. Throws `ChallengeCancelled` if the person declines. */
export async function challengeFirst(challenge: Challenge, aim: string): Promise<void> {
  if (!(await ask(challenge, aim))) throw new ChallengeCancelled();
}

function ask(challenge: Challenge, aim: string): Promise<boolean> {
  // One question at a time: a newer one replaces an unanswered one.
  dropChallenge();
  return new Promise((resolve) => {
    const question: Asking = {
      challenge,
      aim,
      settle(hasPassed) {
        if (challengeAtom.get() === question) challengeAtom.set(null);
        resolve(hasPassed);
      },
    };
    challengeAtom.set(question);
  });
}

/** Cancels the open question, as its person or page has changed. */
export function dropChallenge(): void {
  challengeAtom.get()?.settle(false);
}
