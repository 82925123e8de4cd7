// The questions answered in this tab. They may be personal, and computers shared: they end with the tab.
import { withRules } from "../../rules/rules.ts";
import { createBrowserStore } from "../../session/browserStore.ts";

interface Remembered {
  question: string;
  response: string;
  timestamp: number;
}

/** True if the memory was written by an earlier version. */
let isOld = false;

const store = createBrowserStore("deadwax.terminal", readMemory, "tab");

export function recall(question: string): string | undefined {
  const entries = store.get();
  if (isOld) {
    isOld = false;
    store.update((same) => same);
  }
  return withRules((rules) => rules.terminalCacheFind([...entries], question)) ?? undefined;
}

export function remember(question: string, response: string): void {
  store.update(
    (entries) =>
      withRules((rules) =>
        rules.terminalCacheRemember([...entries], question, response, Date.now()),
      ) ?? entries,
  );
}

function readMemory(found: unknown): readonly Remembered[] {
  return Array.isArray(found) ? found.flatMap(readEntry) : [];
}

function readEntry(entry: unknown): Remembered[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { question, response, timestamp, timestamp_ms } = entry as Record<string, unknown>;
  if (timestamp_ms !== undefined) isOld = true;
  const when = timestamp ?? timestamp_ms;
  return typeof question === "string" && typeof response === "string" && typeof when === "number"
    ? [{ question, response, timestamp: when }]
    : [];
}
