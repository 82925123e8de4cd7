// Rows move up when one goes: what is pressed next at the same place was meant for the row that is gone, while the pointer rests.
import { useEffect, useState } from "react";

/** How long a press is taken for such a one. */
export const SETTLE_MS = 1_000;
/** How far, in pixels, a pointer that rests may stray. */
const REST_PX = 4;

interface Place {
  x: number;
  y: number;
}

interface LastPress {
  /** Notes where a row has just gone from under the pointer. */
  note: (place: Place) => void;
  /** What is pressed from here on is meant. */
  forget: () => void;
  /** True where the pointer has rested there since a row went, a moment ago. */
  isRestingAt: (place: Place) => boolean;
}

/** The same object on every render. */
export function useLastPress(): LastPress {
  const [last] = useState(createLastPress);
  useEffect(() => {
    // Who went elsewhere and comes back means what is there now.
    const move = ({ clientX: x, clientY: y }: PointerEvent) => last.heedMove({ x, y });
    document.addEventListener("pointermove", move, { passive: true });
    return () => document.removeEventListener("pointermove", move);
  }, [last]);
  return last;
}

function createLastPress() {
  let last: (Place & { at: number }) | undefined;
  const strays = ({ x, y }: Place) =>
    last !== undefined && Math.hypot(x - last.x, y - last.y) > REST_PX;
  const forget = () => {
    last = undefined;
  };
  return {
    note(place: Place) {
      last = { ...place, at: performance.now() };
    },
    forget,
    heedMove(place: Place) {
      if (strays(place)) forget();
    },
    isRestingAt: (place: Place) =>
      last !== undefined && performance.now() - last.at < SETTLE_MS && !strays(place),
  };
}
