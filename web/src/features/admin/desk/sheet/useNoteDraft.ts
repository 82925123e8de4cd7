// The note that is being written on the demo on the desk. It stays while that demo lies there, also where somebody else deletes it.
import { type SetStateAction, useState } from "react";

export interface NoteDraft {
  text: string;
  /** As the setter of a state. What comes late, for a demo that lies there no more, changes nothing. */
  write: (next: SetStateAction<string>) => void;
}

export function useNoteDraft(demo: string | undefined): NoteDraft {
  const [held, setHeld] = useState({ demo, text: "" });
  if (held.demo !== demo) setHeld({ demo, text: "" });
  return {
    text: held.demo === demo ? held.text : "",
    write: (next) =>
      setHeld((now) => {
        if (now.demo !== demo) return now;
        return { demo, text: typeof next === "function" ? next(now.text) : next };
      }),
  };
}
