// What was asked for and is not answered yet, by demo: shown at once, over what the server told last.
import type { DeskDemo } from "./deskTypes.ts";

/** What a change makes of a demo. */
export type Patch = (demo: DeskDemo) => Partial<DeskDemo>;

type Patches = readonly Patch[];

export interface Pending {
  subscribe: (changed: () => void) => () => void;
  get: () => ReadonlyMap<string, Patches>;
  /** Shows a change of these demos until the function that it returns is called. */
  add: (ids: readonly string[], patch: Patch) => () => void;
}

export function createPending(): Pending {
  const listeners = new Set<() => void>();
  let pending: ReadonlyMap<string, Patches> = new Map();

  function change(ids: readonly string[], to: (patches: Patches) => Patches): void {
    const next = new Map(pending);
    for (const id of ids) {
      const patches = to(next.get(id) ?? []);
      if (patches.length > 0) next.set(id, patches);
      else next.delete(id);
    }
    pending = next;
    for (const changed of listeners) changed();
  }

  return {
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    get: () => pending,
    add(ids, patch) {
      change(ids, (patches) => [...patches, patch]);
      return () => change(ids, (patches) => patches.filter((other) => other !== patch));
    },
  };
}

/** A demo with what is pending of it. */
export function withPending<Demo extends DeskDemo>(demo: Demo, patches: Patches = []): Demo {
  let shown = demo;
  for (const patch of patches) shown = { ...shown, ...patch(shown) };
  return shown;
}
