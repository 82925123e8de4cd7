// Where the questions of `withChallenges` appear. What asks them is loaded with the first one.
import { useSyncExternalStore } from "react";
import { FailedDialog } from "../code/FailedDialog.tsx";
import { LazyPart } from "../code/LazyPart.tsx";
import { currentChallenge, subscribeToChallenges } from "./challenge.ts";

const loadDialog = () =>
  import("./screens/ChallengeDialog.tsx").then((module) => module.ChallengeDialog);

export function ChallengeHost() {
  const asking = useSyncExternalStore(subscribeToChallenges, currentChallenge, currentChallenge);
  if (!asking) return null;
  const { challenge, aim, settle } = asking;
  return (
    <LazyPart
      load={loadDialog}
      props={{ challenge, aim, onSettle: settle }}
      failed={(tryAgain) => <FailedDialog onTryAgain={tryAgain} onClose={() => settle(false)} />}
    />
  );
}
