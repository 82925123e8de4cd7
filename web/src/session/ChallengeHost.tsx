// Where the questions of `withChallenges` appear. What asks them is loaded with the first one.
import { lazy, Suspense, useSyncExternalStore } from "react";
import { currentChallenge, subscribeToChallenges } from "./challenge.ts";

const ChallengeDialog = lazy(() =>
  import("./screens/ChallengeDialog.tsx").then((module) => ({ default: module.ChallengeDialog })),
);

export function ChallengeHost() {
  const asking = useSyncExternalStore(subscribeToChallenges, currentChallenge);
  return asking ? (
    <Suspense>
      <ChallengeDialog challenge={asking.challenge} aim={asking.aim} onSettle={asking.settle} />
    </Suspense>
  ) : null;
}
