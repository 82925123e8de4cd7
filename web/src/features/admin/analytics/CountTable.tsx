// A table of names with their counts, each with a bar as long as its part of the highest.
import { type ReactNode, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { grouped } from "../grouped.ts";

/** More would hide the tables below. */
const FEW = 10;
/** The server leaves out what is below. */
const MOST = 50;

interface Counted {
  name: string;
  path?: string | null;
  /** In the order of the columns. */
  counts: readonly number[];
}

interface CountTableProps {
  name: string;
  /** Of the rows, and of the counts. */
  columns: readonly [row: string, ...counts: string[]];
  rows: readonly Counted[];
}

export function CountTable({ name, columns: [rowColumn, ...columns], rows }: CountTableProps) {
  const [isWhole, setWhole] = useState(false);
  const highest = Math.max(1, ...rows.map(({ counts: [first = 0] }) => first));
  const shown = isWhole ? rows : rows.slice(0, FEW);
  const isWide = columns.length > 1;
  return (
    <div className="min-w-0 px-gutter py-6">
      {rows.length === 0 ? (
        <>
          <h3 className="type-row mb-2">{name}</h3>
          <p className="text-dim">None in these days.</p>
        </>
      ) : (
        <table className={`w-full text-[0.75rem] ${isWide ? "max-md:block" : ""}`}>
          <caption className={`type-row mb-2 text-left ${isWide ? "max-md:block" : ""}`}>
            {name}
          </caption>
          <thead
            className={`type-label text-dim uppercase [font-stretch:75%] ${isWide ? "max-md:block" : ""}`}
          >
            <tr className={rowOf(isWide)}>
              <th
                scope="col"
                className={`py-1.5 text-left font-normal ${isWide ? "max-md:sr-only" : ""}`}
              >
                {rowColumn}
              </th>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className="whitespace-nowrap py-1.5 text-right font-normal max-md:tracking-normal md:w-24 md:pl-4"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={isWide ? "max-md:block" : undefined}>
            {shown.map(({ name, path, counts }, index) => (
              <tr
                // Names repeat, such as `removed`.
                key={path ?? index}
                className={`border-hairline border-t align-top ${rowOf(isWide)}`}
              >
                <th
                  scope="row"
                  className="py-1.5 text-left font-normal max-md:col-span-full [overflow-wrap:anywhere]"
                >
                  <Named path={path}>{name}</Named>
                  <span
                    aria-hidden="true"
                    className="mt-1 block h-[3px] bg-ink"
                    style={{ width: `${((counts[0] ?? 0) / highest) * 100}%` }}
                  />
                </th>
                {counts.map((count, index) => (
                  <td
                    key={columns[index]}
                    className="py-1.5 text-right tabular-nums md:w-24 md:pl-4"
                  >
                    {grouped(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shown.length < rows.length && (
        <Button className="mt-4" onClick={() => setWhole(true)}>
          {rows.length < MOST ? `Show All ${rows.length}` : "Show More"}
          <span className="sr-only"> of {name}</span>
        </Button>
      )}
    </div>
  );
}

/** On phones a row with several counts has its name in a line above them. */
function rowOf(isWide: boolean): string {
  return isWide ? "max-md:grid max-md:grid-cols-5" : "";
}

function Named({ path, children }: { path: string | null | undefined; children: ReactNode }) {
  if (!path) return children;
  return (
    <a href={path} className="text-link">
      {children}
    </a>
  );
}
