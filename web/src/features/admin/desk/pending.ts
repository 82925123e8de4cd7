// Changes that are sent and not yet answered, by demo. They are shown over the server's last state.
import { type Atom, createAtom } from "@tanstack/react-store";
import type { DeskDemo } from "./deskTypes.ts";

export type Patch = (demo: DeskDemo) => Partial<DeskDemo>;

type Patches = readonly Patch[];

export type Pending = Atom<ReadonlyMap<string, Patches>>;

export function createPending(): Pending {
  return createAtom<ReadonlyMap<string, Patches>>(new Map());
}

/** Shows a change of these demos until the returned function is called. */
export function addPending(pending: Pending, ids: readonly string[], patch: Patch): () => void {
  function change(to: (patches: Patches) => Patches): void {
    const next = new Map(pending.get());
    for (const id of ids) {
      const patches = to(next.get(id) ?? []);
      if (patches.length > 0) next.set(id, patches);
      else next.delete(id);
    }
    pending.set(next);
  }
  change((patches) => [...patches, patch]);
  return () => change((patches) => patches.filter((other) => other !== patch));
}

export function withPending<Demo extends DeskDemo>(demo: Demo, patches: Patches = []): Demo {
  let shown = demo;
  for (const patch of patches) shown = { ...shown, ...patch(shown) };
  return shown;
}
