// One row of the profile's sheet: its name at the left, what it holds at the right.
import { type ReactNode, useId } from "react";

interface ProfileSectionProps {
  name: string;
  /** A sentence below the name. */
  about?: ReactNode;
  children: ReactNode;
}

export function ProfileSection({ name, about, children }: ProfileSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid-sheet gap-y-6 border-hairline border-b py-8 lg:py-10"
    >
      <div className="col-span-12 flex flex-col gap-3 lg:col-span-3">
        <h2 id={id} className="type-label">
          {name}
        </h2>
        {about && <p className="max-w-[44ch] text-dim">{about}</p>}
      </div>
      <div className="col-span-12 flex flex-col gap-6 lg:col-span-9">{children}</div>
    </section>
  );
}

/** Facts and forms below each other, parted by hairlines. */
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
  keys?: ReactNode;
}

/** A fact with its name, and what can be done about it. */
export function Fact({ name, children, keys }: FactProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <dl className="min-w-0 flex-1">
        <dt className="type-label text-dim uppercase">{name}</dt>
        <dd className="mt-1 text-[1rem]">{children}</dd>
      </dl>
      {keys && <div className="type-label flex flex-wrap gap-3">{keys}</div>}
    </div>
  );
}
