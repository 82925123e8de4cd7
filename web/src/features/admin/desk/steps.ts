import { type Atom, createAtom } from "@tanstack/react-store";
import { apiError } from "../../../api/client.ts";
import type { DemoState, DeskDemo } from "./deskTypes.ts";

export type Patch = (demo: DeskDemo) => Partial<DeskDemo>;

type Patches = readonly Patch[];

export type Pending = Atom<ReadonlyMap<string, Patches>>;

export function createPending(): Pending {
  return createAtom<ReadonlyMap<string, Patches>>(new Map());
}

/** Shows a change of these demos until the returned function is called. */
export function addPending(pending: Pending, ids: readonly string[], patch: Patch): () => void {
  function change(to: (patches: Patches) => Patches): void {
    const next = new Map(pending.get());
    for (const id of ids) {
      const patches = to(next.get(id) ?? []);
      if (patches.length > 0) next.set(id, patches);
      else next.delete(id);
    }
    pending.set(next);
  }
  change((patches) => [...patches, patch]);
  return () => change((patches) => patches.filter((other) => other !== patch));
}

export function withPending<Demo extends DeskDemo>(demo: Demo, patches: Patches = []): Demo {
  let shown = demo;
  for (const patch of patches) shown = { ...shown, ...patch(shown) };
  return shown;
}

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

const STEPS_MAX = 50;

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
  return steps.toSorted((one, other) => one.order - other.order).slice(-STEPS_MAX);
}

export function chainOf(step: Step): readonly Step[] {
  return step.covered ? [step, ...chainOf(step.covered)] : [step];
}

/** The step left after a failed undo: none if the letter was sent, or the demo was deleted or moved on. */
export function leftOf(step: Step, error: unknown): Step | undefined {
  return [404, 409, 412].includes(apiError(error).status) ? undefined : step;
}
