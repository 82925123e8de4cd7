// The queue beside the desk: what waits, the oldest first, and what was heard after it.
import { type RefObject, useCallback, useMemo } from "react";
import { useNow } from "../../../../ui/useNow.ts";
import { useChoice } from "../../lists/choice.ts";
import { RowList } from "../../lists/RowList.tsx";
import { emptyText } from "../../lists/useRows.ts";
import type { DeskDemo, DeskSummary } from "../deskTypes.ts";
import type { Actions } from "../useActions.ts";
import type { Desk } from "../useDesk.ts";
import { BulkDecline } from "./BulkDecline.tsx";
import { QueueFilters } from "./QueueFilters.tsx";
import { QueueContext, QueueRow } from "./QueueRow.tsx";

interface QueueProps {
  desk: Desk;
  actions: Actions;
  listeners: ReadonlyMap<string, readonly string[]>;
  tags: DeskSummary["tags"];
  /** After so many days an unheard demo is overdue; undefined while that is read. */
  overdueDays: number | undefined;
  searchRef: RefObject<HTMLInputElement | null>;
  onOpen: (id: string) => void;
}

export function Queue(props: QueueProps) {
  const { desk, actions, listeners, tags, overdueDays, searchRef, onOpen } = props;
  const { rows, address, id } = desk;
  const { asked } = address;
  const choice = useChoice(rows.pages, { q: JSON.stringify(asked) });
  const draw = useCallback((demo: DeskDemo) => <QueueRow demo={demo} choice={choice} />, [choice]);
  const now = useNow();
  const { pending } = actions;
  const context = useMemo(
    () => ({ id, listeners, now, overdueDays, pending, onOpen }),
    [id, listeners, now, overdueDays, pending, onOpen],
  );
  const states = useMemo(
    () => new Map(desk.list.map((demo) => [demo.id, demo.state])),
    [desk.list],
  );
  const isNarrowed = Object.keys(asked).length > 0;
  return (
    <section aria-label="Queue">
      <QueueFilters
        asked={asked}
        search={address.search}
        searchRef={searchRef}
        tags={tags}
        write={address.write}
      />
      <BulkDecline choice={choice} actions={actions} total={rows.total} states={states} />
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
