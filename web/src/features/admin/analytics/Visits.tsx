// The visits of the label's pages in a span of days: totals, a line and tables.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Notice } from "../../../ui/Notice.tsx";
import { RadioGroup } from "../../../ui/RadioGroup.tsx";
import { ExportButton } from "../exports/ExportButton.tsx";
import { counted, grouped } from "../grouped.ts";
import { Reading } from "../lists/RowList.tsx";
import { CountTable } from "./CountTable.tsx";
import { type Numbers, numbersQuery } from "./numbersQuery.ts";
import { VisitsChart } from "./VisitsChart.tsx";

const SPANS = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "12 months"],
] as const;

type Span = (typeof SPANS)[number][0];

export function Visits() {
  const id = useId();
  const [span, setSpan] = useState<Span>("30");
  const asked = numbersQuery({ days: Number(span) });
  const query = useQuery({ ...asked, placeholderData: keepPreviousData });
  const isFailing = query.isPlaceholderData && query.failureCount > 0;
  const data = isFailing ? undefined : query.data;
  const isEmpty = data?.first_day === null;
  return (
    <section aria-labelledby={id} className="border-hairline border-t">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter pt-7 pb-5">
        <div>
          <h2 id={id} className="type-heading">
            Visits
          </h2>
          <p className="mt-3 max-w-[64ch] text-dim">
            Counted by this server, without cookies. It keeps numbers, and nothing that tells one
            person from another. Days are by the label's clock.
          </p>
        </div>
        {!isEmpty && (
          <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
            <RadioGroup label="Span" choices={SPANS} value={span} onChoose={setSpan} />
            <ExportButton of="numbers">Export CSV</ExportButton>
          </div>
        )}
      </header>
      {data ? (
        <>
          {!data.is_on && (
            <p role="note" className="border-signal border-b px-gutter py-3 text-signal">
              Visits are not counted: the server runs with DEADWAX_NUMBERS=off.
              {!isEmpty && " Below is what was counted before, and what the server counts itself."}
            </p>
          )}
          {isEmpty ? (
            <Notice>
              {data.is_on && "Nothing counted yet; views appear within half a minute"}
            </Notice>
          ) : (
            <div
              aria-busy={query.isPlaceholderData}
              className={query.isPlaceholderData ? "opacity-40" : undefined}
            >
              <Counts numbers={data} />
            </div>
          )}
        </>
      ) : (
        <Reading query={{ ...query, data }} of={asked} label="the visits" />
      )}
    </section>
  );
}

function Counts({ numbers }: { numbers: Numbers }) {
  const { totals, places, sources, platforms, releases } = numbers;
  return (
    <>
      <Totals totals={totals} />
      <VisitsChart numbers={numbers} />
      <div className="grid-cells border-hairline border-t lg:grid-cols-2">
        <CountTable
          name="Places"
          columns={["Place", "Views"]}
          rows={places.map(({ count, ...place }) => ({ ...place, counts: [count] }))}
        />
        <CountTable
          name="Where from"
          columns={["Website or letter", "Views"]}
          rows={sources.map(({ count, ...source }) => ({ ...source, counts: [count] }))}
        />
      </div>
      <div className="grid-cells border-hairline border-t lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <CountTable
          name="Releases"
          columns={["Release", "Views", "Visitors", "Plays", "Shares", "Buttons"]}
          rows={releases.map(({ views, visitors, plays, shares, buttons, ...release }) => ({
            ...release,
            counts: [views, visitors, plays, shares, buttons],
          }))}
        />
        <Platforms platforms={platforms} />
      </div>
      <div className="border-hairline border-t px-gutter py-5 text-dim">
        <p className="max-w-[80ch]">
          {leftOut(totals.left_out)} Browsers that ask not to be tracked, and admins, send nothing.
          A visitor counts once a day: the same person on two days is two visitors.
        </p>
      </div>
    </>
  );
}

function leftOut(count: number): string {
  if (count === 0) return "Nothing was left out as a robot.";
  return `Left out: ${counted(count, "view")} by robots, or too many from one visitor.`;
}

function Totals({ totals }: { totals: Numbers["totals"] }) {
  const all = [
    ["Views", totals.views],
    ["Visitors", totals.visitors],
    ["Plays", totals.plays],
    ["Platform buttons", totals.buttons],
    ["Shares", totals.shares],
    ["Searches without results", totals.searches_without_results],
    ["Demo dialog opened", totals.demos_opened],
    ["Demos sent", totals.demos_sent],
    ["Subscriptions confirmed", totals.confirmed],
    ["Left the list", totals.left],
  ] as const;
  return (
    <dl
      aria-label="Totals"
      className="grid-cells grid-cols-2 border-hairline border-b sm:grid-cols-5"
    >
      {all.map(([name, count]) => (
        <div key={name} className="flex flex-col justify-between gap-2 px-gutter py-4">
          <dt className="type-label text-dim uppercase">{name}</dt>
          <dd className="type-title tabular-nums">{grouped(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  spotify: "Spotify",
  soundcloud: "SoundCloud",
  apple_music: "Apple Music",
  youtube: "YouTube",
  bandcamp: "Bandcamp",
};

export function Platforms({ platforms }: Pick<Numbers, "platforms">) {
  return (
    <CountTable
      name="Platform buttons"
      columns={["Platform", "Pressed"]}
      rows={platforms.map(({ name, count }) => ({
        name: PLATFORM_NAMES[name] ?? name,
        counts: [count],
      }))}
    />
  );
}
