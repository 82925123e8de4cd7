// Changes made at the desk: shown at once, sent in order for each demo, rolled back on failure, and undone.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { wordsFor } from "../../../session/wordsFor.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { demoQuery, deskRows } from "./deskCalls.ts";
import {
  addPending,
  chainOf,
  createPending,
  inOrder,
  leftOf,
  type NewStep,
  type Patch,
  type Pending,
  type Step,
  type Subject,
  withoutStep,
  withStep,
} from "./steps.ts";

interface Shown {
  /** Shown on the demos until the change has ended. */
  patch?: Patch | undefined;
  step?: NewStep | undefined;
}

/** Returned by a change that had nothing to do. */
export const UNCHANGED = Symbol("unchanged");

type Of = Subject | readonly Subject[];

export interface Actions {
  /**
   * Runs a change after earlier changes of the same demos. Repeating the latest action while it is still running returns the running one.
   * Resolves to whether it was done; a change that returns `false` was not.
   */
  run: (key: string, of: Of, change: () => Promise<unknown>, shown?: Shown) => Promise<boolean>;
  note: (of: Of, step: NewStep) => void;
  /** Forgets a letter that was withdrawn elsewhere; its decision can still be undone. */
  dropLetter: (id: string) => void;
  pending: Pending;
  last: Step | undefined;
  undo: () => void;
  problem: DeskProblem | undefined;
  tell: (problem: string) => void;
}

export function useActions(): Actions {
  const client = useQueryClient();
  const [pending] = useState(createPending);
  const lines = useRef(new Map<string, Promise<boolean>>());
  const newest = useRef<{ key: string; ended: Promise<boolean> }>(undefined);
  const problems = useRef<DeskProblem>(undefined);
  const [problem, showProblem] = useState<DeskProblem>();
  const steps = useRef<readonly Step[]>([]);
  const [shownSteps, showSteps] = useState<readonly Step[]>([]);
  const counted = useRef(0);

  const setProblem = useCallback((next: DeskProblem | undefined) => {
    problems.current = next;
    showProblem(next);
  }, []);

  const setSteps = useCallback((next: readonly Step[]) => {
    steps.current = next;
    // A copy, because a step itself may have changed.
    showSteps([...next]);
  }, []);

  const fail = useCallback(
    (what: string, of: readonly Subject[], error: unknown) => {
      const one = of.length === 1 ? of[0] : undefined;
      setProblem({ text: `${what}: ${whyNot(error)}`, of: one });
      // The demos shown may be out of date.
      for (const { id } of of) void client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
      readRowsAgain(client, deskRows.path);
    },
    [client, setProblem],
  );

  const add = useCallback(
    (of: readonly Subject[], step: NewStep, done: Promise<boolean>, isPending: boolean): Step => {
      counted.current += 1;
      // The same object, so that its maker can complete it later.
      const added = Object.assign(step, { of, done, isPending, order: counted.current });
      setSteps(withStep(steps.current, added));
      return added;
    },
    [setSteps],
  );

  const run = useCallback<Actions["run"]>(
    (key, subjects, change, { patch, step } = {}) => {
      if (newest.current?.key === key) return newest.current.ended;
      const of = listOf(subjects);
      const ids = of.map(({ id }) => id);
      const known = problems.current;
      const unpatch = patch && addPending(pending, ids, patch);

      const earlier = ids.map((id) => lines.current.get(id));
      async function make(): Promise<unknown> {
        await Promise.all(earlier);
        let outcome: unknown = false;
        try {
          outcome = await change();
          // A problem reported in the meantime stays.
          if (outcome !== false && problems.current === known) setProblem(undefined);
        } catch (error) {
          fail("Not done", of, error);
        }
        unpatch?.();
        if (added) {
          added.isPending = false;
          setSteps(isStep(outcome) ? steps.current : withoutStep(steps.current, added));
        }
        if (newest.current?.ended === ended) newest.current = undefined;
        for (const id of ids) if (lines.current.get(id) === ended) lines.current.delete(id);
        return outcome;
      }
      const made = Promise.resolve().then(make);
      const ended = made.then((outcome) => outcome !== false);
      const added = step && add(of, step, made.then(isStep), true);
      for (const id of ids) lines.current.set(id, ended);
      newest.current = { key, ended };
      return ended;
    },
    [add, fail, pending, setProblem, setSteps],
  );

  const note = useCallback<Actions["note"]>(
    (of, step) => void add(listOf(of), step, Promise.resolve(true), false),
    [add],
  );

  const dropLetter = useCallback(
    (id: string) => {
      const sent = steps.current.find(({ letter }) => letter === id);
      if (sent) setSteps(withoutStep(steps.current, sent));
    },
    [setSteps],
  );

  const last = shownSteps.at(-1);
  const ends = last?.until;
  useEffect(() => {
    if (ends === undefined) return;
    const timer = setTimeout(
      () => setSteps(steps.current.filter(({ until }) => until !== ends)),
      Math.max(0, ends - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [ends, setSteps]);

  const undo = useCallback(() => {
    const taken = steps.current.at(-1);
    if (!taken) return;
    const { of, order } = taken;
    // Removed at once, so that the next press undoes the step before.
    setSteps(steps.current.filter((step) => step !== taken));
    const patches = chainOf(taken).flatMap(({ before }) => before ?? []);
    void run(
      `undo ${order}`,
      of,
      async () => {
        let failed = "Not taken back";
        for (const step of chainOf(taken)) {
          if (!(await step.done)) continue;
          try {
            await step.takeBack();
          } catch (error) {
            const left = leftOf(step, error);
            if (left) setSteps(inOrder([...steps.current, left]));
            fail(failed, of, error);
            return false;
          }
          failed = "The letter alone is taken back";
        }
        return true;
      },
      { patch: (demo) => Object.assign({}, ...patches.map((patch) => patch(demo))) },
    );
  }, [run, fail, setSteps]);

  const tell = useCallback((text: string) => setProblem({ text }), [setProblem]);
  return useMemo(
    () => ({ run, note, dropLetter, pending, last, undo, problem, tell }),
    [run, note, dropLetter, pending, last, undo, problem, tell],
  );
}

function isStep(outcome: unknown): boolean {
  return outcome !== false && outcome !== UNCHANGED;
}

function listOf(of: Of): readonly Subject[] {
  return "id" in of ? [of] : of;
}

interface DeskProblem {
  text: string;
  /** Set if it concerned a single demo. */
  of?: Subject | undefined;
}

export function whyNot(error: unknown): string {
  return wordsFor(error, "the server did not answer.", {
    byStatus: {
      404: "someone else has already deleted it.",
      412: "someone else has moved it on since.",
    },
  });
}
