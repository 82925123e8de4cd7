// Which demo lies on the desk, in which state, and who else hears it.
import { useNow } from "../../../../ui/useNow.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { daysSince, stateName } from "../states.ts";

interface SheetHeadProps {
  demo: DeskDemo;
  /** Whether a change of it is under way. */
  isPending: boolean;
  /** The others who listen to it. */
  listeners: readonly string[];
}

export function SheetHead({ demo, isPending, listeners }: SheetHeadProps) {
  const now = useNow();
  return (
    <header className="flex min-h-28 flex-col justify-end gap-2 px-gutter pt-5 pb-4">
      <p className="type-label flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-dim uppercase">
        <span className="flex items-center gap-2 text-ink">
          <span
            aria-hidden="true"
            className={`block-cursor ${demo.state === "new" ? "text-signal" : ""}`}
          />
          {stateName(demo.state)}
        </span>
        {isPending && <span aria-hidden="true">Saving…</span>}
        <span>Received {ago(daysSince(demo.submitted_at, now))}</span>
        {listeners.length > 0 && (
          <span className="text-signal normal-case" role="status">
            {listeners.join(", ")} {listeners.length === 1 ? "listens" : "listen"} to it now
          </span>
        )}
      </p>
      <h2 className="type-heading">
        <bdi>{demo.artist_name}</bdi>
      </h2>
      <p className="text-dim">
        <bdi>{demo.original_name}</bdi>
      </p>
    </header>
  );
}

function ago(days: string): string {
  return days === "today" ? days : `${days} ago`;
}
