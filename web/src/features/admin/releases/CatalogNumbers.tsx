// Catalogue numbers: duplicates and gaps above the list, and the next free one in the form.
import { useQuery } from "@tanstack/react-query";
import { NAME_IN_TEXTS } from "../../../api/builtInTexts.ts";
import type { Schemas } from "../../../api/client.ts";
import { readQuery } from "../../../api/queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { useLabelName } from "../../../ui/labelName.ts";

type Numbers = Schemas["CatalogNumbers"];

export function NumberNotices({ onSearch }: { onSearch: (catalog: string) => void }) {
  const { data } = useQuery(catalogNumbersQuery);
  if (!data || data.repeated_total + data.gaps_total === 0) return null;
  return (
    <details className="border-hairline border-b px-gutter py-2.5 text-[0.75rem]">
      <summary className="type-label min-h-6 cursor-pointer text-dim uppercase">
        {summary(data)}
      </summary>
      <ul className="flex flex-col gap-2 py-3">
        {data.repeated.map(({ catalog, times, spellings }) => (
          <li key={catalog} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span>
              <span className="text-signal">{catalog}</span> is used {times} times.
            </span>
            {spellings.map((spelling) => (
              <Button key={spelling} className="type-label" onClick={() => onSearch(spelling)}>
                Show<span className="sr-only"> releases with</span>
                <span className={spellings.length > 1 ? "normal-case" : "sr-only"}>
                  {" "}
                  {spelling}
                </span>
              </Button>
            ))}
          </li>
        ))}
        {data.gaps.map(({ first, last, count }) => (
          <li key={first}>
            {count === 1 ? `${first} is not used.` : `${first} to ${last} are not used (${count}).`}
          </li>
        ))}
        {data.repeated_total + data.gaps_total > data.repeated.length + data.gaps.length && (
          <li className="text-dim">There are more.</li>
        )}
      </ul>
    </details>
  );
}

function summary({ repeated_total, gaps_total }: Numbers): string {
  const parts = [
    repeated_total > 0 && `${repeated_total} used more than once`,
    gaps_total > 0 && `${gaps_total} ${gaps_total === 1 ? "gap" : "gaps"}`,
  ].filter(Boolean);
  return `Catalogue numbers: ${parts.join(", ")}`;
}

export function NextNumber({ onUse }: { onUse: (next: string) => void }) {
  const { data } = useQuery(catalogNumbersQuery);
  const next = data?.next;
  if (!next) return null;
  return (
    <Button className="-ml-px flex-none border-dim normal-case" onClick={() => onUse(next)}>
      <span className="sr-only">Use the next free number, </span>
      {next}
    </Button>
  );
}

/** A number of the label's kind, for an empty field; empty until it is known. */
export function useExampleNumber(): string {
  const label = useLabelName();
  const { data } = useQuery(catalogNumbersQuery);
  return label === NAME_IN_TEXTS ? "404-001" : (data?.next ?? "");
}

export const catalogNumbersQuery = readQuery("/api/admin/catalog-numbers", {});
