// A field that people never meet, neither by eye nor by ear nor by key, and that no browser fills in; what fills in
// every field it finds does. The server refuses what comes with it.
import type { Ref } from "react";

/** Stands inside a form. What is in it is sent as `trap`; nothing is sent of an empty one. */
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
