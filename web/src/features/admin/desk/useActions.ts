// Changes made at the desk: shown at once, sent in order for each demo, rolled back on failure, and undone.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createAtom, useSelector } from "@tanstack/react-store";
import { useEffect, useState } from "react";
import { apiError } from "../../../api/client.ts";
import { isAdminHere } from "../../../session/sessionQuery.ts";
import { wordsFor } from "../../../session/wordsFor.ts";
import { showToast } from "../../../ui/toasts/toastQueue.ts";
import { useIsMounted } from "../../../ui/useIsMounted.ts";
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
  type Step,
  type Subject,
  withoutStep,
  withStep,
} from "./steps.ts";

interface Shown {
  /** Shown on the demos until the change has ended. */
  patch?: Patch | undefined;
  step?: NewStep | undefined;
  /** Not by a person's press: it takes no words away but its own. */
  isByItself?: boolean;
}

/** Returned by a change that had nothing to do. */
export const UNCHANGED = Symbol("unchanged");

type Of = Subject | readonly Subject[];

export type Actions = ReturnType<typeof useActions>;

export function useActions() {
  const client = useQueryClient();
  const isMounted = useIsMounted();
  const [actions] = useState(() => createActions(client, isMounted));
  const { problem, steps, expire } = actions;
  const last = useSelector(steps).at(-1);
  const ends = last?.until;
  useEffect(() => {
    if (ends === undefined) return;
    const timer = setTimeout(() => expire(ends), Math.max(0, ends - Date.now()));
    return () => clearTimeout(timer);
  }, [ends, expire]);
  return { ...actions, last, problem: useSelector(problem) };
}

function createActions(client: QueryClient, isMounted: () => boolean) {
  const pending = createPending();
  /** The running change of each demo. */
  const lines = new Map<string, Promise<boolean>>();
  /** The latest action, until it is done. */
  let newest: { key: string; ended: Promise<boolean> } | undefined;
  const problem = createAtom<DeskProblem | null>(null);
  const steps = createAtom<readonly Step[]>([]);
  let counted = 0;

  function tell(text: string, of?: Subject, by?: string): void {
    const present = problem.get();
    if (by !== undefined && by === present?.by && text === present.text) return;
    counted += 1;
    problem.set({ text, of, by, order: counted });
  }

  function fail(what: string, of: readonly Subject[], error: unknown, by?: string): void {
    const one = of.length === 1 ? of[0] : undefined;
    const why = `${what}: ${whyNot(error)}`;
    tell(why, one, by);
    // The desk, which would say it, was left.
    if (!isMounted() && isAdminHere(client)) {
      showToast({ title: one?.artist_name ?? "Demo Desk", description: why, isError: true });
    }
    // The demos shown may be out of date.
    for (const { id } of of) void client.invalidateQueries({ queryKey: demoQuery(id).queryKey });
    readRowsAgain(client, deskRows.path);
  }

  function add(
    of: readonly Subject[],
    step: NewStep,
    done: Promise<boolean>,
    isPending: boolean,
  ): Step {
    counted += 1;
    // The same object, so that its maker can complete it later.
    const added = Object.assign(step, { of, done, isPending, order: counted });
    steps.set(withStep(steps.get(), added));
    return added;
  }

  /**
   * Runs a change after earlier changes of the same demos. Repeating the latest action while it is still running returns
   * the running one. Resolves to whether it was done; a change that returns `false` was not.
   */
  function run(
    key: string,
    subjects: Of,
    change: () => Promise<unknown>,
    { patch, step, isByItself }: Shown = {},
  ): Promise<boolean> {
    if (newest?.key === key) return newest.ended;
    const of = listOf(subjects);
    const ids = of.map(({ id }) => id);
    const by = isByItself ? key : undefined;
    const known = problem.get();
    const unpatch = patch && addPending(pending, ids, patch);

    const earlier = ids.map((id) => lines.get(id));
    async function make(): Promise<unknown> {
      await Promise.all(earlier);
      let outcome: unknown = false;
      try {
        outcome = await change();
        // A problem reported in the meantime stays.
        const isOwn = by === undefined || by === known?.by;
        if (outcome !== false && isOwn && problem.get() === known) problem.set(null);
      } catch (error) {
        fail(apiError(error).isUnsure ? "Perhaps not done" : "Not done", of, error, by);
      }
      unpatch?.();
      if (added) {
        added.isPending = false;
        // A copy, because the step itself has changed.
        steps.set(isStep(outcome) ? [...steps.get()] : withoutStep(steps.get(), added));
      }
      if (newest?.ended === ended) newest = undefined;
      for (const id of ids) if (lines.get(id) === ended) lines.delete(id);
      return outcome;
    }
    const made = Promise.resolve().then(make);
    const ended = made.then((outcome) => outcome !== false);
    const added = step && add(of, step, made.then(isStep), true);
    for (const id of ids) lines.set(id, ended);
    newest = { key, ended };
    return ended;
  }

  function undo(): void {
    const taken = steps.get().at(-1);
    if (!taken) return;
    const { of, order } = taken;
    // Removed at once, so that the next press undoes the step before.
    steps.set(steps.get().filter((step) => step !== taken));
    const patches = chainOf(taken).flatMap(({ before }) => before ?? []);
    const takeBack = async () => {
      let failed = "Not taken back";
      for (const step of chainOf(taken)) {
        if (!(await step.done)) continue;
        try {
          await step.takeBack();
        } catch (error) {
          const left = leftOf(step, error);
          if (left) steps.set(inOrder([...steps.get(), left]));
          fail(failed, of, error);
          return false;
        }
        failed = "The letter alone is taken back";
      }
      return true;
    };
    void run(`undo ${order}`, of, takeBack, {
      patch: (demo) => Object.assign({}, ...patches.map((patch) => patch(demo))),
    });
  }

  return {
    pending,
    problem,
    steps,
    run,
    undo,
    note: (of: Of, step: NewStep) => void add(listOf(of), step, Promise.resolve(true), false),
    tell: (text: string) => tell(text),
    /** Forgets a letter that was withdrawn elsewhere; its decision can still be undone. */
    dropLetter(id: string): void {
      const sent = steps.get().find(({ letter }) => letter === id);
      if (sent) steps.set(withoutStep(steps.get(), sent));
    },
    expire: (at: number) => steps.set(steps.get().filter(({ until }) => until !== at)),
  };
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
  /** The action that failed, if no person pressed it. */
  by?: string | undefined;
  order: number;
}

export function whyNot(error: unknown): string {
  return wordsFor(error, "the server did not answer.", {
    byStatus: {
      404: "someone else has already deleted it.",
      412: "someone else has moved it on since.",
    },
  });
}
