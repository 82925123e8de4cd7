// Changes that are sent and not yet answered, by demo. They are shown over the server's last state.
import type { DeskDemo } from "./deskTypes.ts";

export type Patch = (demo: DeskDemo) => Partial<DeskDemo>;

type Patches = readonly Patch[];

export interface Pending {
  subscribe: (changed: () => void) => () => void;
  get: () => ReadonlyMap<string, Patches>;
  /** Shows a change of these demos until the returned function is called. */
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

export function withPending<Demo extends DeskDemo>(demo: Demo, patches: Patches = []): Demo {
  let shown = demo;
  for (const patch of patches) shown = { ...shown, ...patch(shown) };
  return shown;
}
