// The heading of a page, with an optional note.
import type { ReactNode } from "react";

export function PageHead({ name, note }: { name: string; note?: ReactNode }) {
  return (
    <header className="grid-sheet items-end gap-y-5 border-hairline border-b pt-12 pb-7 lg:pt-16">
      <h1 className="type-display col-span-12 lg:col-span-8">{name}</h1>
      {note !== undefined && (
        <p className="type-label col-span-12 text-balance text-dim lg:col-span-4 lg:text-right">
          {note}
        </p>
      )}
    </header>
  );
}
