// The conversation, oldest first, with the newest line in sight.
import { useEffect, useRef } from "react";
import { useAuth } from "../../session/useAuth.ts";
import { timeOfDay } from "../../ui/dates.ts";
import { GroovesBehind } from "../../ui/Grooves.tsx";
import type { Line } from "./conversation.ts";
import { LineText } from "./LineText.tsx";

interface TranscriptProps {
  lines: readonly Line[];
  isPending: boolean;
}

export function Transcript({ lines, isPending }: TranscriptProps) {
  const box = useRef<HTMLElement>(null);
  const { isAdmin } = useAuth();
  const newestQuestion = lines.findLast(({ type }) => type === "user");
  useEffect(() => {
    // A question scrolls to the end.
    if (newestQuestion) box.current?.scrollTo({ top: 0 });
  }, [newestQuestion]);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col overflow-hidden">
      {!newestQuestion && (
        <GroovesBehind
          seed="404-TERMINAL"
          className="-top-2/5 -right-1/3 w-full md:-right-1/12 md:w-2/5"
        />
      )}
      {/* Reversed, the box keeps its end in sight as it grows, except for a reader who scrolled up. */}
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it is scrolled by keys
        tabIndex={0}
        aria-label="Transcript"
        className="relative flex flex-1 flex-col-reverse overflow-y-auto focus-visible:-outline-offset-2"
      >
        {/* Filled from its top: a new line moves no other. */}
        <div
          className={`flex shrink-0 grow flex-col pt-6 ${
            // Clears the floating admin button.
            isAdmin ? "pb-24" : "pb-8"
          }`}
        >
          <div role="log" aria-live="polite" aria-label="Conversation">
            {lines.map((line, index) => (
              <Row key={line.id} line={line} isNamed={line.type !== lines[index - 1]?.type} />
            ))}
          </div>
          <div role="status">
            {isPending && (
              <p className={ROW}>
                <span className="col-span-12 flex items-baseline gap-3 text-dim lg:col-span-9 lg:col-start-4">
                  <span aria-hidden="true" className="block-cursor blink" />
                  Processing query...
                </span>
              </p>
            )}
          </div>
        </div>
      </section>
    </div>
  );
}

const ROW = "grid-sheet gap-y-1 py-1.5";

const NAMES = { system: "SYSTEM", user: "YOU", ai: "TERMINAL" } as const;

const STYLES = {
  system: "text-dim",
  user: "type-lead font-[700]",
  ai: "[font-stretch:75%] sm:text-[0.875rem]",
} as const;

/** `isNamed` for the first line of each speaker. */
function Row({ line, isNamed }: { line: Line; isNamed: boolean }) {
  const { type, content, timestamp, isError } = line;
  // Not announced: the person typed it, or a toast reports the failure.
  const isHeardElsewhere = type === "user" || isError;
  return (
    <div
      aria-live={isHeardElsewhere ? "off" : undefined}
      className={`${ROW} ${type === "user" ? "mt-6 border-hairline border-t pt-5" : ""}`}
    >
      {isNamed && (
        <span className="type-label col-span-6 text-dim lg:col-span-3 lg:pt-0.5">
          {NAMES[type]}
        </span>
      )}
      <div
        className={`max-w-[72ch] [unicode-bidi:plaintext] animate-[etch_160ms_steps(8)] whitespace-pre-wrap lg:order-none lg:col-span-7 lg:col-start-4 ${
          isNamed ? "order-last col-span-12" : "col-span-8 sm:col-span-9"
        } ${STYLES[type]} ${isError ? "text-signal" : ""}`}
      >
        <LineText type={type} content={content} />
      </div>
      <time
        dateTime={new Date(timestamp).toISOString()}
        className={`type-label text-right text-dim tabular-nums lg:col-span-2 lg:pt-0.5 ${
          isNamed ? "col-span-6" : "col-span-4 sm:col-span-3"
        }`}
      >
        {timeOfDay(timestamp)}
      </time>
    </div>
  );
}
