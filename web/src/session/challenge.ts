// Calls that the server answers only to somebody who has just shown who they are: asks for what is missing and
// repeats the call. What asks is shown by `ChallengeHost`.
import { createAtom } from "@tanstack/react-store";
import { apiError } from "../api/client.ts";

/** The password again, or the second factor. */
export type Challenge = "password" | "factor";

interface Asking {
  readonly challenge: Challenge;
  /** What it is for, as it follows `To`: "change your password". */
  readonly aim: string;
  /** Ends the asking; true where the person passed. */
  readonly settle: (hasPassed: boolean) => void;
}

const CHALLENGE_OF: Readonly<Record<string, Challenge>> = {
  reauthentication_needed: "password",
  mfa_required: "factor",
  mfa_verification_needed: "factor",
};

/** The person closed the question; nothing was changed, and nothing has to be said. */
export class ChallengeCancelled extends Error {
  override readonly name = "ChallengeCancelled";
}

/** True where the person closed the question for their password or code: they know that nothing happened. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ChallengeCancelled;
}

/** The question that waits for an answer. */
export const challengeAtom = createAtom<Asking | null>(null);

/**
 * Makes the call, which is for `aim`; where it is refused for want of the password or the second factor, asks for that and makes it again.
 * Throws `ChallengeCancelled` when the person does not want to, and otherwise whatever the call throws.
 */
export async function withChallenges<T>(call: () => Promise<T>, aim: string): Promise<T> {
  const passed = new Set<Challenge>();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const challenge = CHALLENGE_OF[apiError(error).code];
      // Asked once each: a server that is never content must not keep a person typing.
      if (challenge === undefined || passed.has(challenge)) throw error;
      if (!(await ask(challenge, aim))) throw new ChallengeCancelled();
      passed.add(challenge);
    }
  }
}

/** Asks before any call is made. Throws `ChallengeCancelled` when the person does not want to. */
export async function challengeFirst(challenge: Challenge, aim: string): Promise<void> {
  if (!(await ask(challenge, aim))) throw new ChallengeCancelled();
}

function ask(challenge: Challenge, aim: string): Promise<boolean> {
  // One question at a time: the newer one takes the place of one that nobody answered.
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
