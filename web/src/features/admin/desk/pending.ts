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
    pending.set((now) => {
      const changed = ids.map((id) => [id, to(now.get(id) ?? [])] as const);
      return new Map([...now, ...changed].filter(([, patches]) => patches.length > 0));
    });
  }
  change((patches) => [...patches, patch]);
  return () => change((patches) => patches.filter((other) => other !== patch));
}

export function withPending<Demo extends DeskDemo>(demo: Demo, patches: Patches = []): Demo {
  let shown = demo;
  for (const patch of patches) shown = { ...shown, ...patch(shown) };
  return shown;
}
