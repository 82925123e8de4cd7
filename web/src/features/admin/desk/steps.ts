// The steps of this page that can be taken back, and what is left of one that was not.
import { apiError } from "../../../api/client.ts";
import type { DemoState, DeskDemo } from "./deskTypes.ts";
import type { Patch } from "./pending.ts";

/** A demo that something is done to. */
export type Subject = Pick<DeskDemo, "id"> & Partial<Pick<DeskDemo, "artist_name">>;

/** What was done, or is about to be. */
export interface NewStep {
  /** For people: `Declined, Kesto Vann`. */
  readonly what: string;
  /** What it is called while it is on its way. */
  doing?: "Saving" | "Sending";
  takeBack: () => Promise<unknown>;
  /** What is shown once it is to be taken back. */
  before?: Patch | undefined;
  /** The state that it gave the demo. */
  gave?: DemoState | undefined;
  /** It takes the step before it along, if that gave the same demo this state. */
  covers?: DemoState | undefined;
  /** The letter that it sent, by id. */
  letter?: string;
  /** Until when it can be taken back, in milliseconds of this clock; for ever if absent. */
  until?: number;
}

export interface Step extends NewStep {
  of: readonly Subject[];
  /** Its place among the steps. */
  order: number;
  isPending: boolean;
  /** Resolves to whether it was done. */
  done: Promise<boolean>;
  /** The step that is taken back after it. */
  covered?: Step | undefined;
}

/** So many steps can be taken back. */
const MOST_STEPS = 50;

/** The steps with a new one. */
export function withStep(steps: readonly Step[], step: Step): readonly Step[] {
  const [id] = step.of.map((subject) => subject.id);
  const last = steps.findLast(
    ({ of, gave }) => gave !== undefined && of.length === 1 && of[0]?.id === id,
  );
  if (step.covers === undefined || last?.gave !== step.covers) return inOrder([...steps, step]);
  step.covered = last;
  return inOrder([...steps.filter((other) => other !== last), step]);
}

/** The steps without one that was not done; what it was to take along stands by itself again. */
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

/** A step, and what is taken back after it. */
export function chainOf(step: Step): readonly Step[] {
  return step.covered ? [step, ...chainOf(step.covered)] : [step];
}

/**
 * What is left to take back after a failure: the decision if its letter is gone, nothing if the letter has left or another admin has
 * moved the demo on.
 */
export function leftOf(step: Step, error: unknown): Step | undefined {
  const { status } = apiError(error);
  if (status === 404) return step.covered;
  return status === 409 || status === 412 ? undefined : step;
}
