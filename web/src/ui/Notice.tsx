// A page's or a list's single statement: that it is loading, or that there is nothing.
import type { ReactNode } from "react";

/** Said when it changes, so that it is heard as well as seen. */
export function Notice({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
  return (
    <p
      role="status"
      aria-busy={busy}
      className="type-lead flex items-baseline gap-4 px-gutter py-16 uppercase"
    >
      <span aria-hidden="true" className={`block-cursor ${busy ? "blink" : ""}`} />
      {children}
    </p>
  );
}
