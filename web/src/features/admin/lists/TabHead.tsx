// The head of a list: its name, count, search and buttons.
import type { ReactNode, Ref } from "react";
import { SearchInput } from "../../../ui/SearchInput.tsx";

interface TabHeadProps {
  name: ReactNode;
  /** Takes the focus when a focused row is gone. */
  headingRef?: Ref<HTMLHeadingElement>;
  search: { typed: string; setTyped: (typed: string) => void };
  /** The number of search results, once known. */
  found: number | undefined;
  searchLabel: string;
  children?: ReactNode;
}

export function TabHead({ name, headingRef, search, found, searchLabel, children }: TabHeadProps) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-hairline border-b px-gutter pt-7 pb-5">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 ref={headingRef} tabIndex={-1} className="type-heading tabular-nums">
          {name}
        </h2>
        <p role="status" className="type-label text-dim tabular-nums uppercase">
          {found !== undefined && `${found} found`}
        </p>
      </div>
      <div className="flex w-full flex-wrap gap-3 sm:w-auto">
        <SearchInput label={searchLabel} search={search} className="w-full sm:w-64 sm:flex-1" />
        {children}
      </div>
    </header>
  );
}
