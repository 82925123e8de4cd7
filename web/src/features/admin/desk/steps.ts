import { apiError } from "../../../api/client.ts";
import type { DemoState, DeskDemo } from "./deskTypes.ts";
import type { Patch } from "./pending.ts";

export type Subject = Pick<DeskDemo, "id"> & Partial<Pick<DeskDemo, "artist_name">>;

export interface NewStep {
  /** Shown to people: `Declined, Kesto Vann`. */
  readonly what: string;
  doing?: "Saving" | "Sending";
  takeBack: () => Promise<unknown>;
  /** Shown once undo is pressed. */
  before?: Patch | undefined;
  gave?: DemoState | undefined;
  /** Undo also takes back the step before, if that gave the demo this state. */
  covers?: DemoState | undefined;
  letter?: string;
  /** The end of its undo, in milliseconds of this clock; never if absent. */
  until?: number;
}

export interface Step extends NewStep {
  of: readonly Subject[];
  order: number;
  isPending: boolean;
  done: Promise<boolean>;
  /** The step that undo takes back after this one. */
  covered?: Step | undefined;
}

const MOST_STEPS = 50;

/** Adds a step, which may cover the last one of the same demo. */
export function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  const [id] = step.of.map((subject) => subject.id);
  const last = steps.findLast(
    ({ of, gave }) => gave !== undefined && of.length === 1 && of[0]?.id === id,
  );
  if (step.covers === undefined || last?.gave !== step.covers) return inOrder([...steps, step]);
  step.covered = last;
  return inOrder([...steps.filter((other) => other !== last), step]);
}

/** Removes a step that failed; the step it covered stands alone again. */
export function withoutStep(steps: readonly Step[], gone: Step): readonly Step[] {
  return steps.flatMap((step) => {
    if (step === gone) return step.covered ? [step.covered] : [];
    if (step.covered === gone) step.covered = undefined;
    return [step];
  });
}

export function inOrder(steps: readonly Step[]): readonly Step[] {
  return steps.toSorted((one, other) => one.order - other.order).slice(-MOST_STEPS);
}

export function chainOf(step: Step): readonly Step[] {
  return step.covered ? [step, ...chainOf(step.covered)] : [step];
}

/** The step left after a failed undo: only the decision if the letter is gone, none if it was sent or the demo was moved on. */
export function leftOf(step: Step, error: unknown): Step | undefined {
  const { status } = apiError(error);
  if (status === 404) return step.covered;
  return status === 409 || status === 412 ? undefined : step;
}
