import type { ReactNode } from "react";

interface PageHeadProps {
  name: string;
  note?: ReactNode;
  /** True if it takes the focus of sections that disappear. */
  isFocusHome?: boolean;
}

export function PageHead({ name, note, isFocusHome }: PageHeadProps) {
  return (
    <header className="grid-sheet items-end gap-y-5 border-hairline border-b pt-12 pb-7 lg:pt-16">
      <h1
        tabIndex={isFocusHome ? -1 : undefined}
        data-focus-home={isFocusHome}
        className="type-display col-span-12 lg:col-span-8"
      >
        <bdi>{name}</bdi>
      </h1>
      {note !== undefined && (
        <p className="type-label col-span-12 text-balance text-dim lg:col-span-4 lg:text-right">
          {note}
        </p>
      )}
    </header>
  );
}
