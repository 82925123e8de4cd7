// A page's or a list's single statement: that it is loading, or that there is nothing.
import type { ReactNode } from "react";

interface NoticeProps {
  /** Nothing while there is nothing to say: a region that stands before it speaks is heard as well as seen. */
  children: ReactNode;
  busy?: boolean;
}

export function Notice({ children, busy = false }: NoticeProps) {
  return (
    <p
      role="status"
      aria-busy={busy}
      className={
        children ? "type-lead flex items-baseline gap-4 px-gutter py-16 uppercase" : "sr-only"
      }
    >
      {children && (
        <>
          <span aria-hidden="true" className={`block-cursor ${busy ? "blink" : ""}`} />
          {children}
        </>
      )}
    </p>
  );
}
