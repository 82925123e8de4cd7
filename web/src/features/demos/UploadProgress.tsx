import type { RefObject } from "react";
import { useWait } from "../../session/useWait.ts";
import { percentOf, sentOf, speedLabel, timeLeft } from "../../ui/measures.ts";
import { useClock } from "../../ui/useClock.ts";
import { Lacquer } from "./Lacquer.tsx";
import { isStill, type Pace, secondsLeft, speedOf } from "./pace.ts";
import type { TransferState } from "./upload/transfer.ts";

interface UploadProgressProps {
  fileName: string;
  state: TransferState;
  pace: Pace;
  region: RefObject<HTMLElement | null>;
}

export function UploadProgress({ fileName, state, pace, region }: UploadProgressProps) {
  const total = "total" in state ? state.total : 1;
  const sent = "sent" in state ? state.sent : state.at === "checking" ? total : 0;
  const percent = percentOf(sent, total);
  const isUncertain = state.at === "preparing" || state.at === "checking";
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Upload"
      className="flex h-full flex-col gap-2 outline-offset-4"
    >
      <p className="type-label flex items-center gap-2.5 uppercase">
        <span
          aria-hidden="true"
          className={`block-cursor text-signal ${state.at === "waiting" ? "blink" : ""}`}
        />
        {headline(state)}
      </p>
      <div className="flex flex-1 flex-wrap items-center gap-5 border border-hairline p-4 md:min-h-80 md:flex-col md:flex-nowrap md:items-stretch md:gap-4">
        <div className="relative max-w-full flex-none md:mx-auto md:w-full md:max-w-64">
          <Lacquer
            seed={fileName}
            cut={total === 0 ? 0 : sent / total}
            isCutting={state.at === "sending"}
            className="aspect-square w-28 max-w-full md:w-full"
          />
          <p
            aria-hidden="true"
            className="absolute inset-0 grid place-items-center font-[700] text-[1rem] tabular-nums tracking-[-0.035em] [font-stretch:75%] md:text-[2.25rem]"
          >
            {percent}%
          </p>
        </div>
        <div className="flex min-w-0 flex-[1_1_6rem] flex-col gap-2 md:flex-none">
          <p className="line-clamp-2 break-all">
            <bdi>{fileName}</bdi>
          </p>
          <progress
            aria-label={`Upload of ${fileName}`}
            aria-valuetext={isUncertain ? headline(state) : `${percent} %, ${sentOf(sent, total)}`}
            className="meter w-full"
            max={100}
            {...(!isUncertain && { value: percent })}
          />
          <Figures state={state} pace={pace} />
        </div>
      </div>
      <p role="status" className="sr-only">
        {announcement(state, fileName)}
      </p>
    </section>
  );
}

function Figures({ state, pace }: { state: TransferState; pace: Pace }) {
  const wait = useWait(state.at === "waiting" ? state.retryAt : undefined);
  const now = useClock(state.at === "sending");
  switch (state.at) {
    case "preparing":
      return <p className="text-dim">Nothing has travelled yet.</p>;
    case "checking":
      return <p className="text-dim">Everything is sent. This takes a moment.</p>;
    case "waiting":
      return (
        <div className="text-dim">
          <p className="text-ink tabular-nums">{sentOf(state.sent, state.total)}</p>
          <p>
            {state.for === "connection"
              ? "It goes on by itself once the connection is back."
              : "The server cannot take it right now. It goes on by itself."}
          </p>
          <p className="tabular-nums">{wait > 0 ? `Next try in ${wait} s` : "Trying..."}</p>
        </div>
      );
    case "sending": {
      const speed = speedOf(pace);
      const seconds = secondsLeft(pace, state.total);
      return (
        <p className="flex flex-wrap justify-between gap-x-4 tabular-nums">
          <span>{sentOf(state.sent, state.total)}</span>
          <span className="text-dim">
            {isStill(pace, now) ? (
              "Nothing moves right now."
            ) : (
              <>
                {speed !== undefined && speedLabel(speed)}
                {seconds !== undefined && `, ${timeLeft(seconds)}`}
              </>
            )}
          </span>
        </p>
      );
    }
  }
}

const HEADLINES = {
  preparing: "Preparing the upload",
  checking: "Checking the file",
  sending: "Uploading",
} as const;

function headline(state: TransferState): string {
  return state.at === "waiting" ? `Waiting for the ${state.for}` : HEADLINES[state.at];
}

/** For screen readers: each quarter and each change of state, not each byte. */
function announcement(state: TransferState, fileName: string): string {
  if (state.at === "waiting") return `${headline(state)}. The upload goes on by itself.`;
  if (state.at !== "sending") return `${headline(state)}.`;
  const quarter = Math.floor(percentOf(state.sent, state.total) / 25) * 25;
  return quarter === 0 ? `Uploading ${fileName}.` : `${quarter} percent uploaded.`;
}
