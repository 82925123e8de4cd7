import type { ReactNode } from "react";

interface NoticeProps {
  /** Empty if there is nothing to say: a live region that exists before its text is announced. */
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
