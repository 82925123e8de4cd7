// The questions that were answered in this tab. Questions may be personal and computers shared: it ends with the tab.
import { withRules } from "../../rules/rules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";

interface Remembered {
  question: string;
  response: string;
  timestamp_ms: number;
}

const store = createBrowserStore("deadwax.terminal", readMemory, "tab");

/** The remembered answer, tagged as such. */
export function recall(question: string): string | undefined {
  return withRules((rules) => rules.terminalCacheFind([...store.get()], question)) ?? undefined;
}

export function remember(question: string, response: string): void {
  store.update(
    (entries) =>
      withRules((rules) =>
        rules.terminalCacheRemember([...entries], question, response, Date.now()),
      ) ?? entries,
  );
}

/** Whatever the tab held, as a memory. */
function readMemory(found: unknown): readonly Remembered[] {
  return Array.isArray(found) ? found.filter(isRemembered) : [];
}

function isRemembered(entry: unknown): entry is Remembered {
  if (typeof entry !== "object" || entry === null) return false;
  const { question, response, timestamp_ms } = entry as Partial<Record<keyof Remembered, unknown>>;
  return (
    typeof question === "string" && typeof response === "string" && typeof timestamp_ms === "number"
  );
}
