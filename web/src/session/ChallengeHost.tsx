// Shows the challenges of `withChallenges`. Their dialog is fetched with the first one.
import { useSelector } from "@tanstack/react-store";
import { LazyDialog } from "../code/LazyDialog.tsx";
import { lazyCode } from "../code/lazyCode.ts";
import { challengeAtom } from "./challenge.ts";

const dialog = lazyCode(() =>
  import("./screens/ChallengeDialog.tsx").then((module) => module.ChallengeDialog),
);

export function ChallengeHost() {
  const asking = useSelector(challengeAtom);
  if (!asking) return null;
  const { challenge, aim, settle } = asking;
  return (
    <LazyDialog
      code={dialog}
      props={{ challenge, aim, onSettle: settle }}
      onClose={() => settle(false)}
    />
  );
}
