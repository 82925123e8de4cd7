// The chosen file, checked at once: by name and size, then by content.
import type { Problem } from "@deadwax/audio";
import { useEffect, useRef, useState } from "react";
import { RULES_WAIT_MS } from "../../rules/generated/constants.ts";
import { loadRules, withRules } from "../../rules/rules.ts";
import { hasFolder } from "../../ui/useFileDrop.ts";
import { problemOfEnd } from "./archive.ts";
import { before, loadAudio, probeFile } from "./probeFile.ts";

interface ChosenFile {
  file: File;
  /** A line about it; undefined while it is read, empty if unknown. */
  line?: string;
  problem?: Problem;
}

export function useChosenFile(onRefused: (problem: Problem) => void) {
  const [chosen, setChosen] = useState<ChosenFile>();
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
      // Another file was chosen in the meantime.
      if (reading.current !== controller) return undefined;
      setChosen({ file, line, ...(problem && { problem }) });
      if (problem) onRefused(problem);
      return problem;
    });
  }

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
    /** For code that has waited since the last render. */
    isStillChosen: (file: File) => latest.current === file,
    judgement: () => judged.current ?? Promise.resolve(undefined),
  };
}

/** The rules' objection to a file, or the verdict on its content. Without both it passes. */
export async function judge(
  file: File,
  end: AbortSignal,
): Promise<{ line: string; problem?: Problem }> {
  const tooLate = patience(end);
  const looking = probeFile(file, tooLate);
  await loadRules();
  const refused = withRules((rules) => rules.checkDemoFile(aboutFile(file)));
  if (refused) return { line: "", problem: refused };
  const found = await looking;
  if (found && "line" in found) return found;
  const problem = found?.problem ?? (await before(tooLate, problemOfEnd(file)));
  return { line: "", ...(problem && { problem }) };
}

/** Aborts with `end`, and when the rules are no longer waited for. */
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

export type Dropped = { file: File } | { problem: string };

export function readDrop(dropped: DataTransfer): Dropped {
  if (hasFolder(dropped)) return { problem: "A folder cannot be sent. Pack it into a .zip file." };
  const [file, another] = dropped.files;
  if (another) return { problem: "Only one file can be sent. Pack several into a .zip file." };
  return file ? { file } : { problem: "That was no file." };
}
