// A tab with a list and an editor: artists, releases, products.
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "../../../ui/Button.tsx";
import { ChooseBox, useChoice } from "../lists/choice.tsx";
import { ListTools } from "../lists/ListTools.tsx";
import type { RowActions } from "../lists/Row.tsx";
import { RowList } from "../lists/RowList.tsx";
import { TabHead } from "../lists/TabHead.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { useListAddress } from "../lists/useListAddress.ts";
import { emptyText, useRows, useRowTotal } from "../lists/useRows.ts";
import { MaintenanceSwitch } from "../maintenance/MaintenanceSwitch.tsx";
import { TrashButton } from "../trash/TrashDialog.tsx";
import type { ResourceConfig, Versioned } from "./resourceConfig.ts";

interface RowsTabProps<Row extends Versioned, Form extends FieldValues> {
  config: ResourceConfig<Row, Form>;
  /** Such as Artists. */
  name: string;
  /** Such as Artist. */
  one: string;
  searchLabel: string;
  pageKey: "artists" | "releases" | "store";
  tools?: ReactNode;
  /** Notices above the list; they may set its search. */
  notices?: (search: (text: string) => void) => ReactNode;
  /** The same function on every render. */
  row: (row: Row, actions: RowActions) => ReactNode;
  editor: (row: Row | null, onClose: () => void) => ReactNode;
}

export function RowsTab<Row extends Versioned, Form extends FieldValues>({
  config,
  name,
  one,
  searchLabel,
  pageKey,
  tools,
  notices,
  row,
  editor,
}: RowsTabProps<Row, Form>) {
  const address = useListAddress(config.options);
  const rows = useRows(config, address.asked);
  const total = useRowTotal(config, address.asked, rows);
  const choice = useChoice(rows.pages, address.asked);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The row being edited; null for a new one. */
  const [edited, setEdited] = useState<Row | null>();
  const remove = useDelete({ calls: config, messages: config.messages, headingRef: heading });
  const draw = useCallback(
    (found: Row) =>
      row(found, {
        onEdit: () => setEdited(found),
        onDelete: (event) => remove(event, found.id),
        chooseBox: <ChooseBox choice={choice} id={found.id} name={config.nameOf(found)} />,
      }),
    [config, row, remove, choice],
  );
  return (
    <>
      <TabHead
        name={`${name} (${total ?? "..."})`}
        headingRef={heading}
        search={address}
        found={rows.found}
        searchLabel={searchLabel}
      >
        {config.trash && <TrashButton kind={config.trash} name={name} path={config.path} />}
        <Button variant="main" className="flex-none" onClick={() => setEdited(null)}>
          Add {one}
        </Button>
        {tools}
      </TabHead>
      <MaintenanceSwitch pageKey={pageKey} />
      {notices?.(address.setTyped)}
      <ListTools
        label={name}
        address={address}
        chosen={{
          choice,
          calls: config,
          nouns: [one.toLowerCase(), name.toLowerCase()],
          headingRef: heading,
        }}
      />
      <RowList
        label={name}
        rows={rows}
        loadFailed={config.messages.loadFailed}
        empty={emptyText(address.asked, `No ${name.toLowerCase()} yet`)}
        draw={draw}
      />
      {edited !== undefined && editor(edited, () => setEdited(undefined))}
    </>
  );
}
