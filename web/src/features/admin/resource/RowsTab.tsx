// A tab that is a list with an editor: artists, releases, products.
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "../../../ui/Button.tsx";
import type { RowActions } from "../lists/Row.tsx";
import { RowList } from "../lists/RowList.tsx";
import { TabHead } from "../lists/TabHead.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { useRows } from "../lists/useRows.ts";
import { useSearch } from "../lists/useSearch.ts";
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";
import type { ResourceConfig, Versioned } from "./resourceConfig.ts";

interface RowsTabProps<Row extends Versioned, Form extends FieldValues> {
  config: ResourceConfig<Row, Form>;
  /** Such as Artists, as the head says it. */
  name: string;
  /** Such as Artist, as the key that adds says it. */
  one: string;
  searchLabel: string;
  pageKey: "artists" | "releases" | "store";
  /** Draws a row; the same function on every render. */
  row: (row: Row, actions: RowActions) => ReactNode;
  /** The dialog for a row, or for a new one. */
  editor: (row: Row | null, onClose: () => void) => ReactNode;
}

export function RowsTab<Row extends Versioned, Form extends FieldValues>({
  config,
  name,
  one,
  searchLabel,
  pageKey,
  row,
  editor,
}: RowsTabProps<Row, Form>) {
  const search = useSearch();
  const rows = useRows(config, search.search);
  const heading = useRef<HTMLHeadingElement>(null);
  /** What is open: a row, a new one (null), or nothing. */
  const [edited, setEdited] = useState<Row | null>();
  const focusHeading = useCallback(() => heading.current?.focus(), []);
  const remove = useDelete({
    calls: config,
    messages: config.messages,
    restoreFocus: focusHeading,
  });
  const draw = useCallback(
    (found: Row) =>
      row(found, {
        onEdit: () => setEdited(found),
        onDelete: (event) => remove(event, found.id),
      }),
    [row, remove],
  );
  return (
    <>
      <TabHead
        name={`${name} (${rows.total ?? 0})`}
        headingRef={heading}
        search={search}
        found={rows.found}
        searchLabel={searchLabel}
      >
        <Button variant="main" className="flex-none" onClick={() => setEdited(null)}>
          Add {one}
        </Button>
      </TabHead>
      <MaintenanceSwitch pageKey={pageKey} />
      <RowList
        label={name}
        rows={rows}
        loadFailed={config.messages.loadFailed}
        empty={
          search.search ? `Nothing found for “${search.search}”` : `No ${name.toLowerCase()} yet`
        }
        draw={draw}
      />
      {edited !== undefined && editor(edited, () => setEdited(undefined))}
    </>
  );
}
