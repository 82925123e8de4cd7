// What is changed at the desk: one call after the other, each once however often its key is pressed, and what takes it back.
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
  /** Until when it can be taken back, in milliseconds of this clock; for ever where nothing is said. */
  until?: number;
}

/** What is noted may take the step before it along, if that gave the same demo this state. */
interface Noted extends Done {
  covers?: DemoState | undefined;
}

/** So many steps can be taken back. */
const MOST_STEPS = 50;

export interface Actions {
  /** Runs a change after those before it, unless the same is under way. Answers whether it was done. */
  run: (key: string, demo: string, change: () => Promise<unknown>) => Promise<boolean>;
  /** Notes what can be taken back. */
  note: (done: Noted) => void;
  /** The step that would be taken back next. */
  last: Done | undefined;
  undo: () => void;
  /** Why the last change was not made. */
  problem: string | undefined;
}

export function useActions(): Actions {
  const client = useQueryClient();
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const underWay = useRef(new Set<string>());
  const [problem, setProblem] = useState<string>();
  const steps = useRef<readonly Done[]>([]);
  const [last, setLast] = useState<Done>();

  const setSteps = useCallback((next: readonly Done[]) => {
    steps.current = next.slice(-MOST_STEPS);
    setLast(next.at(-1));
  }, []);

  const run = useCallback<Actions["run"]>(
    (key, demo, change) => {
      if (underWay.current.has(key)) return Promise.resolve(false);
      underWay.current.add(key);
      const ended = line.current.then(async () => {
        try {
          await change();
          setProblem(undefined);
          return true;
        } catch (error) {
          setProblem(whyNot(error));
          // Gone, or further than it was here: what is shown is read again.
          if (apiError(error).isRefusal) {
            void client.invalidateQueries({ queryKey: demoQuery(demo).queryKey });
            readRowsAgain(client, deskRows.path);
          }
          return false;
        } finally {
          underWay.current.delete(key);
        }
      });
      line.current = ended;
      return ended;
    },
    [client],
  );

  const note = useCallback(
    ({ covers, ...done }: Noted) => {
      const covered = steps.current.findLast(
        ({ demo, gave }) => demo === done.demo && gave !== undefined,
      );
      if (covers === undefined || covered?.gave !== covers) {
        return setSteps([...steps.current, done]);
      }
      const takeBack = async () => {
        await done.takeBack();
        await covered.takeBack();
      };
      setSteps([...steps.current.filter((step) => step !== covered), { ...done, takeBack }]);
    },
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
    const step = steps.current.at(-1);
    if (!step) return;
    void run("undo", step.demo, async () => {
      await step.takeBack();
      setSteps(steps.current.filter((other) => other !== step));
    });
  }, [run, setSteps]);

  return { run, note, last, undo, problem };
}

function whyNot(error: unknown): string {
  const failure = apiError(error);
  if (failure.status === 404) return "Not done: it is gone. Somebody was faster.";
  return `Not done: ${serviceMessage(error) ?? "the server did not answer. Nothing was changed."}`;
}
