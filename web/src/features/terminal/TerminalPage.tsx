import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { BOOT_LINE_DELAY_MS } from "../../rules/generated/constants.ts";
import { useRules } from "../../rules/useRules.ts";
import { useLabelName } from "../../ui/labelName.ts";
import { PageHead } from "../../ui/PageHead.tsx";
import { countLines, say } from "./conversation.ts";
import { Prompt } from "./Prompt.tsx";
import { Transcript } from "./Transcript.tsx";
import { useTerminal } from "./useTerminal.ts";

export function TerminalPage() {
  const { lines, isPending, ask } = useTerminal();
  const isBooted = useBoot(lines.length);
  return (
    // Fills the window, so that the prompt is in sight without scrolling.
    <div data-console className="flex min-h-0 flex-1 flex-col">
      <div className="[@media(height<30rem)]:sr-only">
        <PageHead name="TERMINAL" />
      </div>
      <Transcript lines={lines} isPending={isPending} />
      <Prompt lines={lines} isBooted={isBooted} isPending={isPending} onAsk={ask} />
    </div>
  );
}

const WORDS = [
  "NEEDLE DOWN. READING THE RUN-OUT...",
  "CATALOGUE FOUND. LOCKED GROOVE REACHED.",
  "ASK ABOUT ARTISTS, RELEASES OR DEMOS. TYPE help FOR COMMANDS.",
] as const;

const LINE_COUNT = WORDS.length + 1;

/** Plays the sequence, resuming at `lineCount`. Returns true once the terminal takes questions. */
function useBoot(lineCount: number): boolean {
  const client = useQueryClient();
  const rules = useRules();
  const label = useLabelName();
  const isOver = lineCount >= LINE_COUNT;

  useEffect(() => {
    if (isOver) return;
    const lines = [`${label} TERMINAL`, ...WORDS];
    const showUpTo = (count: number) => {
      const from = countLines(client);
      say(
        client,
        ...lines.slice(from, count).map((content) => ({ type: "system" as const, content })),
      );
    };
    if (isStill()) return showUpTo(LINE_COUNT);
    if (lineCount === 0) return showUpTo(1);
    const timer = setTimeout(() => showUpTo(lineCount + 1), BOOT_LINE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [client, lineCount, isOver, label]);

  // The tab's memory is read by the rules: without them, answered questions would be repeated.
  return isOver && rules !== "loading";
}

function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
