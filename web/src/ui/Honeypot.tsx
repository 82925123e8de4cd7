// A field hidden from people, screen readers and autofill. Bots fill it in, and the server refuses what comes with it.
import type { Ref } from "react";

/** Its value is sent as `trap`; an empty one is not sent. */
export function Honeypot({ ref }: { ref: Ref<HTMLInputElement> }) {
  return (
    <div aria-hidden="true" className="absolute -left-[9999px] size-px overflow-hidden">
      <input
        ref={ref}
        name="side_c"
        type="text"
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        data-bwignore
      />
    </div>
  );
}
