// The queue beside the desk: unheard demos, the oldest first, then the others.
import { useCallback, useMemo } from "react";
import { useNow } from "../../../../ui/useNow.ts";
import { useChoice } from "../../lists/choice.tsx";
import { RowList } from "../../lists/RowList.tsx";
import { emptyText } from "../../lists/useRows.ts";
import { useDeskState } from "../deskState.ts";
import type { DeskDemo } from "../deskTypes.ts";
import { BulkDecline } from "./BulkDecline.tsx";
import { QueueFilters } from "./QueueFilters.tsx";
import { QueueContext, QueueRow } from "./QueueRow.tsx";

export function Queue() {
  const { desk, actions, listeners, summary, open } = useDeskState();
  const { rows, address, id } = desk;
  const { asked } = address;
  const choice = useChoice(rows.pages, { q: JSON.stringify(asked) });
  const draw = useCallback((demo: DeskDemo) => <QueueRow demo={demo} choice={choice} />, [choice]);
  const now = useNow();
  const { pending } = actions;
  const overdueDays = summary?.settings.overdue_days;
  const context = useMemo(
    () => ({ id, listeners, now, overdueDays, pending, open }),
    [id, listeners, now, overdueDays, pending, open],
  );
  const isNarrowed = Object.keys(asked).length > 0;
  return (
    <section aria-label="Queue">
      <QueueFilters />
      <BulkDecline choice={choice} />
      <QueueContext value={context}>
        <RowList
          label="Demos"
          rows={rows}
          draw={draw}
          loadFailed="demos_load_failed"
          empty={
            isNarrowed && !asked.q ? "Nothing found" : emptyText(asked, "No demo has come in yet")
          }
        />
      </QueueContext>
    </section>
  );
}
