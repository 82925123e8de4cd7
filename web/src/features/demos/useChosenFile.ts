// The chosen file: judged as soon as it is chosen, first by its name and size, then by what is in it.
import type { Problem } from "@deadwax/audio";
import { useEffect, useRef, useState } from "react";
import { RULES_WAIT_MS } from "../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../rules/rules.ts";
import { problemOfEnd } from "./archive.ts";
import { loadAudio } from "./audio.ts";
import type { Dropped } from "./dropped.ts";
import { lookAt } from "./lookAt.ts";

interface ChosenFile {
  file: File;
  /** What it is, in a line; undefined while it is read, empty where that cannot be told. */
  line?: string;
  /** Why it cannot be sent. */
  problem?: Problem;
}

/** `onRefused` is told of each file that cannot be sent, once. */
export function useChosenFile(onRefused: (problem: Problem) => void) {
  const [chosen, setChosen] = useState<ChosenFile>();
  /** Of what was let go over the dialog and is no file. */
  const [dropProblem, setDropProblem] = useState<string>();
  const reading = useRef<AbortController>(undefined);
  const latest = useRef<File>(undefined);
  const judged = useRef<Promise<Problem | undefined>>(undefined);

  useEffect(() => {
    void loadAudio();
    return () => reading.current?.abort();
  }, []);

  function choose(dropped: Dropped): void {
    if ("problem" in dropped) {
      setDropProblem(dropped.problem);
      return;
    }
    const { file } = dropped;
    const controller = forget();
    latest.current = file;
    setChosen({ file });
    judged.current = judge(file, controller.signal).then(({ line, problem }) => {
      // Another one was chosen meanwhile.
      if (reading.current !== controller) return undefined;
      setChosen({ file, line, ...(problem && { problem }) });
      if (problem) onRefused(problem);
      return problem;
    });
  }

  /** Ends what is known of the last file. */
  function forget(): AbortController {
    reading.current?.abort();
    reading.current = new AbortController();
    judged.current = undefined;
    latest.current = undefined;
    setChosen(undefined);
    setDropProblem(undefined);
    return reading.current;
  }

  return {
    file: chosen?.file,
    line: chosen?.line,
    problem: chosen?.problem,
    dropProblem,
    choose,
    remove: () => void forget(),
    /** Whether it is the chosen one, for who has waited since the last render. */
    isStillChosen: (file: File) => latest.current === file,
    /** Why the file cannot be sent, once that is known. */
    judgement: () => judged.current ?? Promise.resolve(undefined),
  };
}

/** What the rules have against a file, then what a look into it says. Without either nothing is said. */
async function judge(file: File, end: AbortSignal): Promise<{ line: string; problem?: Problem }> {
  const looking = lookAt(file, patience(end));
  await loadRules();
  const refused = withRules((rules) => rules.checkDemoFile(aboutFile(file)));
  if (refused) return { line: "", problem: refused };
  const found = await looking;
  if (found && "line" in found) return found;
  const problem = found?.problem ?? (await problemOfEnd(file));
  return { line: "", ...(problem && { problem }) };
}

/** Ends with another, and as soon as nobody waits for the rules either. */
function patience(end: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), RULES_WAIT_MS);
  end.addEventListener("abort", () => {
    clearTimeout(timer);
    controller.abort();
  });
  return controller.signal;
}

export function aboutFile({ name, type, size }: File) {
  return { name, media_type: type, size_bytes: size };
}
