import type { ReactNode } from "react";

export function FactList({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-4 [&>*:not(:last-child)]:border-hairline [&>*:not(:last-child)]:border-b [&>*:not(:last-child)]:pb-4">
      {children}
    </div>
  );
}

interface FactProps {
  name: string;
  children: ReactNode;
  actions?: ReactNode;
}

export function Fact({ name, children, actions }: FactProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <dl className="min-w-0 grow basis-44 has-[p]:basis-80">
        <dt className="type-label text-dim uppercase">{name}</dt>
        <dd className="mt-1 text-[1rem]">{children}</dd>
      </dl>
      {actions && <div className="type-label flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}
