import { Link } from "@tanstack/react-router";
import { useOnePlaying } from "../../../ui/useOnePlaying.ts";
import { ListHead, useList } from "../lists/ListHead.tsx";
import { ListStates, MoreButton } from "../lists/RowList.tsx";
import { ariaSort, type SortBy, SortHead } from "../lists/RowTable.tsx";
import type { ListAddress } from "../lists/useListAddress.ts";
import { emptyText } from "../lists/useRows.ts";
import { DemoRow, ROLES } from "./DemoRow.tsx";
import { demoCalls } from "./demo.ts";

const MESSAGES = { deleted: "demo_deleted", deleteFailed: "demo_delete_failed" } as const;

export function DemoInbox() {
  const list = useList({ calls: demoCalls, messages: MESSAGES, prefix: "demo_" });
  const { address, rows, choice, remove } = list;
  const [playing, toggle] = useOnePlaying();
  return (
    <section aria-label="Demo Submissions">
      <ListHead
        list={list}
        id="demo-submissions"
        name="Demo Submissions"
        searchLabel="Search demos"
        nouns={["demo", "demos"]}
        buttons={
          <Link to="/admin/demos" className="button flex-none">
            OPEN THE DESK
          </Link>
        }
      />
      <ListStates
        label="Demo Submissions"
        rows={rows}
        loadFailed="demos_load_failed"
        empty={emptyText(address.asked, "No demo submissions yet")}
      >
        <table
          {...ROLES.table}
          className="block w-full border-collapse text-[0.75rem] md:table md:table-fixed"
        >
          <caption className="sr-only">
            Demo Submissions{!address.asked.sort && ", the newest first"}
          </caption>
          {/* On phones the head is for screen readers, and appears once one of its buttons has the focus. */}
          <thead
            {...ROLES.rowgroup}
            className="sr-only focus-within:not-sr-only md:not-sr-only md:table-header-group"
          >
            <tr
              {...ROLES.row}
              className="type-label text-left text-dim uppercase md:border-hairline md:border-b"
            >
              <Head address={address} by={BY_ARTIST} className="md:w-[30%] md:pl-gutter">
                Artist
              </Head>
              <Head address={address} by={BY_FILE}>
                File Name
              </Head>
              <Head address={address} by={BY_SIZE} className="md:w-28 md:text-right">
                Size
              </Head>
              <Head address={address} by={BY_DATE} className="md:w-36 md:text-right">
                Submitted
              </Head>
              <Head address={address} className="md:w-36 md:pr-gutter lg:w-88 md:text-right">
                Actions
              </Head>
            </tr>
          </thead>
          <tbody {...ROLES.rowgroup} className="block md:table-row-group">
            {rows.pages?.flatMap(({ items }) =>
              items.map((demo) => (
                <DemoRow
                  key={demo.id}
                  demo={demo}
                  choice={choice}
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

const BY_ARTIST = { up: "artist", down: "-artist" };
const BY_FILE = { up: "file", down: "-file" };
const BY_SIZE = { up: "size", down: "-size" };
const BY_DATE = { up: "submitted", down: "-submitted" };

interface HeadProps {
  address: ListAddress;
  by?: SortBy;
  className?: string;
  children: string;
}

function Head({ address, by, className = "", children }: HeadProps) {
  return (
    <th
      {...ROLES.columnheader}
      scope="col"
      aria-sort={ariaSort(address, by)}
      className={`py-2 font-[400] md:px-3 ${className}`}
    >
      <SortHead name={children} by={by} address={address} />
    </th>
  );
}
