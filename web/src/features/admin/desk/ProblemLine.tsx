// Why something was not done. Beside another demo than its own, it says which one it is about.
import type { DeskProblem } from "./problems.ts";

interface ProblemLineProps {
  problem: DeskProblem | undefined;
  /** The demo on the desk. */
  here: string | undefined;
}

export function ProblemLine({ problem, here }: ProblemLineProps) {
  if (!problem) return null;
  const { text, of } = problem;
  return (
    <p className="text-signal">
      {of?.artist_name && of.id !== here && <bdi className="mr-2 text-ink">{of.artist_name}</bdi>}
      <span>{text}</span>
    </p>
  );
}
