// Which rows are being deleted, or have just been: asked for again meanwhile, they are deleted once. Every list of a page shares it.
import type { QueryClient } from "@tanstack/react-query";

const all = new WeakMap<QueryClient, Set<string>>();

function of(client: QueryClient): Set<string> {
  const held = all.get(client) ?? new Set<string>();
  all.set(client, held);
  return held;
}

/** Notes that a row is being deleted; false where it is already. */
export function beginDeletion(client: QueryClient, id: string): boolean {
  if (of(client).has(id)) return false;
  of(client).add(id);
  return true;
}

/** The row is there, or there again: from here on it can be deleted. */
export function endDeletion(client: QueryClient, id: string): void {
  of(client).delete(id);
}
