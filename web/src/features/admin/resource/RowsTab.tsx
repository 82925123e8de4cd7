// A tab with a list and an editor: artists, releases, products.
import { type ComponentType, type ReactNode, useCallback, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "../../../ui/Button.tsx";
import { ChooseBox } from "../lists/choice.tsx";
import { ListHead, useList } from "../lists/ListHead.tsx";
import type { RowActions } from "../lists/Row.tsx";
import { RowList } from "../lists/RowList.tsx";
import { emptyText } from "../lists/useRows.ts";
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
  /** Notices above the list; they may search all of it. */
  notices?: (search: (text: string) => void) => ReactNode;
  line: ComponentType<RowActions & { row: Row }>;
  editor: ComponentType<EditorProps<Row>>;
}

export interface EditorProps<Row> {
  /** Null for a new one. */
  row: Row | null;
  onClose: () => void;
}

export function RowsTab<Row extends Versioned, Form extends FieldValues>({
  config,
  name,
  one,
  searchLabel,
  pageKey,
  tools,
  notices,
  line: Line,
  editor: Editor,
}: RowsTabProps<Row, Form>) {
  const list = useList({ calls: config, messages: config.messages });
  const { address, rows, choice, remove } = list;
  /** The row being edited; null for a new one. */
  const [edited, setEdited] = useState<Row | null>();
  const draw = useCallback(
    (row: Row) => (
      <Line
        row={row}
        onEdit={() => setEdited(row)}
        onDelete={(event) => remove(event, row.id)}
        chooseBox={<ChooseBox choice={choice} id={row.id} name={config.nameOf(row)} />}
      />
    ),
    [config, Line, remove, choice],
  );
  return (
    <>
      <ListHead
        list={list}
        name={name}
        searchLabel={searchLabel}
        nouns={[one.toLowerCase(), name.toLowerCase()]}
        buttons={
          <>
            {config.trash && <TrashButton kind={config.trash} name={name} path={config.path} />}
            <Button variant="main" className="flex-none" onClick={() => setEdited(null)}>
              Add {one}
            </Button>
            {tools}
          </>
        }
      >
        <MaintenanceSwitch pageKey={pageKey} />
        {notices?.((text) => {
          address.setTyped(text);
          address.setState("");
        })}
      </ListHead>
      <RowList
        label={name}
        rows={rows}
        loadFailed={config.messages.loadFailed}
        empty={emptyText(address.asked, `No ${name.toLowerCase()} yet`)}
        draw={draw}
      />
      {edited !== undefined && <Editor row={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
