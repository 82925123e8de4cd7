import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, type Schemas, urlOf } from "../../../api/client.ts";
import { pagesQuery, readQuery } from "../../../api/queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { dayAndSecond } from "../../../ui/dates.ts";
import { SearchInput } from "../../../ui/SearchInput.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Reading } from "../lists/RowList.tsx";
import { usePausedSearch } from "../lists/useListAddress.ts";

export function Activity() {
  const words = usePausedSearch();
  const { search } = words;
  const [person, setPerson] = useState("");
  const [kind, setKind] = useState("");
  const { data: filters } = useQuery(filtersQuery);
  const asked = {
    ...(search && { q: search }),
    ...(person && { person }),
    ...(kind && { kind }),
  };
  const query = pagesQuery(urlOf(ACTIVITY_PATH, { query: asked }), (after, signal) =>
    call("GET", ACTIVITY_PATH, { query: { ...asked, ...after }, signal }),
  );
  const log = useInfiniteQuery({
    ...query,
    placeholderData: keepPreviousData,
    staleTime: ACTIVITY_STALE_MS,
    gcTime: 30_000,
  });
  const isFailing = log.isPlaceholderData && log.failureCount > 0;
  const data = isFailing ? undefined : log.data;
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  // Takes the focus of the button, which goes with the last page.
  const firstRead = data?.pages.at(-1)?.items[0];
  return (
    <>
      <div className="flex flex-wrap gap-3 border-hairline border-b px-gutter py-4">
        <SearchInput label="Search activity" search={words} className="flex-1 basis-56" />
        <Select
          label="Person"
          className="min-w-0 flex-1 basis-40"
          options={optionsOf("Everybody", filters?.people)}
          value={person}
          onChoose={setPerson}
        />
        <Select
          label="Kind"
          className="min-w-0 flex-1 basis-40"
          options={optionsOf("Every kind", filters?.kinds)}
          value={kind}
          onChoose={setKind}
        />
      </div>
      {!data ? (
        <Reading
          query={{ ...log, data }}
          of={query}
          label="the activity"
          loadFailed="activity_load_failed"
        />
      ) : (
        <>
          <p role="status" className={entries.length > 0 ? "sr-only" : "px-gutter py-8 text-dim"}>
            {entries.length === 0 && "Nothing found"}
          </p>
          <ol
            aria-label="Activity"
            aria-busy={log.isPlaceholderData}
            className={log.isPlaceholderData ? "opacity-40" : undefined}
          >
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} isFocusHome={entry === firstRead} />
            ))}
          </ol>
          {log.hasNextPage && (
            <div className="px-gutter py-5">
              <Button
                variant="outline"
                isBusy={log.isFetchingNextPage}
                onClick={() => void log.fetchNextPage()}
              >
                {log.isFetchingNextPage ? "Loading..." : "Load more"}
                <span className="sr-only"> of the activity</span>
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function optionsOf(all: string, names: readonly string[] = []) {
  return [["", all] as const, ...names.map((name) => [name, name] as const)];
}

interface EntryProps {
  entry: ActivityEntry;
  isFocusHome: boolean;
}

function Entry({ entry, isFocusHome }: EntryProps) {
  const { at, kind, role, person, address, target, name, outcome, repeats } = entry;
  return (
    <li
      tabIndex={-1}
      data-focus-home={isFocusHome || undefined}
      className="grid -outline-offset-2 gap-x-6 gap-y-1 border-hairline border-b px-gutter py-3 text-[0.75rem] last:border-b-0 md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <time dateTime={at} className="text-dim tabular-nums">
        {dayAndSecond(at)}
      </time>
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {kind}
        {outcome !== "ok" && (
          <span className={REFUSALS.test(kind) ? "text-signal" : "text-dim"}> {outcome}</span>
        )}
        {name && <span className="block">{name}</span>}
        {target && <span className="block text-dim">{target}</span>}
      </p>
      <p className="min-w-0 text-dim [overflow-wrap:anywhere]">
        <span className="text-ink">{person ?? role}</span>
        {address && <span className="block tabular-nums">{address}</span>}
        {repeats > 0 && <span className="block">{repeats} more like it</span>}
      </p>
    </li>
  );
}

type ActivityEntry = Schemas["ActivityEntry"];

export const ACTIVITY_PATH = "/api/admin/activity";

/** Zero: most entries of the log cause no live event. */
const ACTIVITY_STALE_MS = 0;

const filtersQuery = {
  ...readQuery("/api/admin/activity/filters", {}),
  staleTime: ACTIVITY_STALE_MS,
};

/** OWASP event kinds of refusals and attacks. */
const REFUSALS = /_(fail|locked?|burned|reuse|validation)$|^(malicious|excess)_/;
