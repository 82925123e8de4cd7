import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { grouped } from "../grouped.ts";
import { Reading } from "../lists/RowList.tsx";
import { numbersQuery } from "./numbersQuery.ts";
import { Platforms } from "./Visits.tsx";
import { VisitsChart } from "./VisitsChart.tsx";

const DAYS = 30;

/** Read when it is opened. */
export function ReleaseNumbers({ release }: { release: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="border border-hairline"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="type-label min-h-9 cursor-pointer px-gutter py-2.5 uppercase">
        Numbers
      </summary>
      {isOpen && <Opened release={release} />}
    </details>
  );
}

function Opened({ release }: { release: string }) {
  const asked = numbersQuery({ days: DAYS, release });
  const query = useQuery(asked);
  const { data } = query;
  if (!data) return <Reading query={query} of={asked} label="the numbers" />;
  const { totals } = data;
  const all = [
    ["Views", totals.views],
    ["Visitors", totals.visitors],
    ["Plays", totals.plays],
    ["Shares", totals.shares],
    ["Buttons", totals.buttons],
  ] as const;
  return (
    <>
      <p className="px-gutter pb-3 text-dim">
        {data.is_on
          ? `The last ${DAYS} days.`
          : `The last ${DAYS} days. Visits are not counted: the server runs with DEADWAX_NUMBERS=off.`}
      </p>
      <dl aria-label="Numbers" className="grid-cells grid-cols-2 border-hairline border-y">
        {all.map(([name, count]) => (
          <div key={name} className="px-gutter py-3">
            <dt className="type-label text-dim uppercase">{name}</dt>
            <dd className="type-row tabular-nums">{grouped(count)}</dd>
          </div>
        ))}
      </dl>
      <VisitsChart numbers={data} isSmall />
      {data.platforms.length > 0 && <Platforms platforms={data.platforms} />}
    </>
  );
}
