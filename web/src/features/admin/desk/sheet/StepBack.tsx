// Steps back that no key of the judgement takes, as long after it as anybody likes.
import type { DemoState } from "../deskTypes.ts";
import { stateName } from "../states.ts";

const BACK: readonly DemoState[] = ["heard", "new"];

interface StepBackProps {
  /** Where the demo stands. */
  state: DemoState;
  onJudge: (state: DemoState) => void;
}

export function StepBack({ state, onJudge }: StepBackProps) {
  if (state === "new") return null;
  return (
    <p className="flex flex-wrap gap-x-6 border-hairline border-b px-gutter py-2.5">
      {BACK.filter((other) => other !== state).map((other) => (
        <button
          key={other}
          type="button"
          className="type-label min-h-6 flex-none text-link uppercase"
          onClick={() => onJudge(other)}
        >
          Back To {stateName(other)}
        </button>
      ))}
    </p>
  );
}
