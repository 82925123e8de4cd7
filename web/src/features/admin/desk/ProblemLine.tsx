// Why something was not done; it names the demo unless that is on the desk.
import { useDeskState } from "./deskState.ts";

export function ProblemLine() {
  const { desk, actions } = useDeskState();
  if (!actions.problem) return null;
  const { text, of } = actions.problem;
  return (
    <p className="text-signal">
      {of?.artist_name && of.id !== desk.id && (
        <bdi className="mr-2 text-ink">{of.artist_name}</bdi>
      )}
      <span>{text}</span>
    </p>
  );
}
