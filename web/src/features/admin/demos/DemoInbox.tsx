// What artists have sent in: the newest first, to be heard, downloaded and deleted.
import { type RefObject, useCallback } from "react";
import { useOnePlaying } from "../../../ui/useOnePlaying.ts";
import { MoreButton } from "../lists/MoreButton.tsx";
import { ListStates } from "../lists/RowList.tsx";
import { TabHead } from "../lists/TabHead.tsx";
import { useDelete } from "../lists/useDelete.ts";
import { useRows } from "../lists/useRows.ts";
import { useSearch } from "../lists/useSearch.ts";
import { DemoRow } from "./DemoRow.tsx";
import { demoCalls } from "./demo.ts";
import { ROLES } from "./demoTable.ts";

const MESSAGES = { deleteFailed: "demo_delete_failed" } as const;

export function DemoInbox({ headingRef }: { headingRef: RefObject<HTMLHeadingElement | null> }) {
  const search = useSearch();
  const rows = useRows(demoCalls, search.search);
  const [playing, toggle] = useOnePlaying();
  const remove = useDelete({
    calls: demoCalls,
    messages: MESSAGES,
    restoreFocus: useCallback(
      (sibling: HTMLElement | null) => (sibling ?? headingRef.current)?.focus(),
      [headingRef],
    ),
  });
  return (
    <section aria-label="Demo Submissions">
      <TabHead
        name={`Demo Submissions (${rows.total ?? 0})`}
        headingRef={headingRef}
        search={search}
        found={rows.found}
        searchLabel="Search demos"
      />
      <ListStates
        label="Demo Submissions"
        rows={rows}
        loadFailed="demos_load_failed"
        empty={search.search ? `Nothing found for “${search.search}”` : "No demo submissions yet"}
      >
        <table
          {...ROLES.table}
          className="block w-full border-collapse text-[0.75rem] md:table md:table-fixed"
        >
          <caption className="sr-only">Demo Submissions, the newest first</caption>
          <thead {...ROLES.rowgroup} className="sr-only md:not-sr-only md:table-header-group">
            <tr
              {...ROLES.row}
              className="type-label text-left text-dim uppercase md:border-hairline md:border-b"
            >
              <Head className="md:w-[30%] md:pl-gutter">Artist</Head>
              <Head>File Name</Head>
              <Head className="md:w-28 md:text-right">Size</Head>
              <Head className="md:w-36 md:text-right">Submitted</Head>
              <Head className="md:w-36 md:pr-gutter lg:w-88 md:text-right">Actions</Head>
            </tr>
          </thead>
          <tbody {...ROLES.rowgroup} className="block md:table-row-group">
            {rows.pages?.flatMap(({ items }) =>
              items.map((demo) => (
                <DemoRow
                  key={demo.id}
                  demo={demo}
                  isPlaying={playing === demo.id}
                  onPlay={toggle}
                  onDelete={remove}
                />
              )),
            )}
          </tbody>
        </table>
        <MoreButton label="Demo Submissions" rows={rows} />
      </ListStates>
    </section>
  );
}

function Head({ className = "", children }: { className?: string; children: string }) {
  return (
    <th {...ROLES.columnheader} scope="col" className={`py-2 font-[400] md:px-3 ${className}`}>
      {children}
    </th>
  );
}
