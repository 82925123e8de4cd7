// What is changed at the desk: one call after the other, in the order of the presses, and what takes it back.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { apiError, serviceMessage } from "../../../api/client.ts";
import { readRowsAgain } from "../lists/useRows.ts";
import { demoQuery, deskRows } from "./deskCalls.ts";
import type { DemoState } from "./deskTypes.ts";

/** Something that was done, and can be taken back. */
interface Done {
  /** The demo it was done to. */
  demo: string;
  /** Said to people: `Declined, Kesto Vann`. */
  what: string;
  takeBack: () => Promise<unknown>;
  /** The state that it gave the demo. */
  gave?: DemoState | undefined;
  /** The letter that it sent, by id. */
  letter?: string;
  /** Until when it can be taken back, in milliseconds of this clock; for ever where nothing is said. */
  until?: number;
  /** The step that is taken back with it, after it. */
  covered?: Done;
}

/** What is noted may take the step before it along, if that gave the same demo this state. */
interface Noted extends Omit<Done, "covered"> {
  covers?: DemoState | undefined;
}

/** So many steps can be taken back. */
const MOST_STEPS = 50;

export interface Actions {
  /**
   * Runs a change after those before it. Pressed again before anything else, it is the same one; after something else it is asked for
   * anew. Answers whether it was done; a change says so by `false` where not.
   */
  run: (key: string, demo: string, change: () => Promise<unknown>) => Promise<boolean>;
  /** Notes what can be taken back. */
  note: (done: Noted) => void;
  /** A letter was taken back elsewhere: what is left of its step is the decision that it told of. */
  dropLetter: (id: string) => void;
  /** The step that would be taken back next. */
  last: Done | undefined;
  undo: () => void;
  /** Why the last change was not made. */
  problem: string | undefined;
  /** Says why something was not done that was asked for. */
  tell: (problem: string) => void;
}

export function useActions(): Actions {
  const client = useQueryClient();
  const line = useRef<Promise<unknown>>(Promise.resolve());
  /** What was asked for last, until it is done. */
  const newest = useRef<{ key: string; ended: Promise<boolean> }>(undefined);
  const [problem, setProblem] = useState<string>();
  const steps = useRef<readonly Done[]>([]);
  const [last, setLast] = useState<Done>();

  const setSteps = useCallback((next: readonly Done[]) => {
    steps.current = next.slice(-MOST_STEPS);
    setLast(next.at(-1));
  }, []);

  const readAgain = useCallback(
    (demo: string) => {
      void client.invalidateQueries({ queryKey: demoQuery(demo).queryKey });
      readRowsAgain(client, deskRows.path);
    },
    [client],
  );

  const run = useCallback<Actions["run"]>(
    (key, demo, change) => {
      if (newest.current?.key === key) return newest.current.ended;
      const ended = line.current.then(async () => {
        try {
          if ((await change()) === false) return false;
          setProblem(undefined);
          return true;
        } catch (error) {
          setProblem(whyNot("Not done", error));
          // Gone, or further than it was here: what is shown is read again.
          if (apiError(error).isRefusal) readAgain(demo);
          return false;
        } finally {
          if (newest.current?.ended === ended) newest.current = undefined;
        }
      });
      line.current = ended;
      newest.current = { key, ended };
      return ended;
    },
    [readAgain],
  );

  const note = useCallback(
    ({ covers, ...done }: Noted) => {
      const covered = steps.current.findLast(
        ({ demo, gave }) => demo === done.demo && gave !== undefined,
      );
      if (covers === undefined || covered?.gave !== covers) {
        return setSteps([...steps.current, done]);
      }
      setSteps([...steps.current.filter((step) => step !== covered), { ...done, covered }]);
    },
    [setSteps],
  );

  const dropLetter = useCallback(
    (id: string) =>
      setSteps(steps.current.flatMap((step) => (step.letter === id ? left(step) : [step]))),
    [setSteps],
  );

  // What cannot be taken back any more is not offered.
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
    void run("undo", "", async () => {
      // Looked for here: what was under way when the key was pressed is noted by now.
      let step = steps.current.at(-1);
      let failed = "Not taken back";
      while (step) {
        const taken = step;
        const replace = (...by: Done[]) =>
          setSteps(steps.current.flatMap((other) => (other === taken ? by : [other])));
        try {
          await taken.takeBack();
        } catch (error) {
          // It cannot be taken back any more, and does not stand in the way of what came before.
          if (isPast(error)) replace(...withIt(taken, error));
          setProblem(whyNot(failed, error));
          if (apiError(error).isRefusal) readAgain(taken.demo);
          return false;
        }
        replace(...left(taken));
        step = taken.covered;
        failed = "The letter alone is taken back";
      }
      return true;
    });
  }, [run, setSteps, readAgain]);

  return { run, note, dropLetter, last, undo, problem, tell: setProblem };
}

/** What is left of a step that was taken back. */
function left({ covered }: Done): Done[] {
  return covered ? [covered] : [];
}

/** What is left to take back where a step was not: the letter is back already where it is gone, and the decision stays where it has left. */
function withIt({ covered }: Done, error: unknown): Done[] {
  return covered && apiError(error).status === 404 ? [covered] : [];
}

/** True where trying again can never succeed: gone, left, or changed by somebody else. */
function isPast(error: unknown): boolean {
  return [404, 409, 412].includes(apiError(error).status);
}

function whyNot(what: string, error: unknown): string {
  const { status } = apiError(error);
  if (status === 404) return `${what}: it is gone. Somebody was faster.`;
  if (status === 412) return `${what}: somebody else has moved it on since.`;
  return `${what}: ${serviceMessage(error) ?? "the server did not answer."}`;
}
