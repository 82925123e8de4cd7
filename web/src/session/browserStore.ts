// One value kept in the browser over reloads, by one tab or shared by all. It holds nothing secret.
//
// Storage may be refused (private windows, full disks): then the value lives as long as the page.

type StorageArea = "localStorage" | "sessionStorage";

export interface BrowserStore<Value> {
  /** The newest value, whichever tab wrote it; the same object until it changes. */
  get: () => Value;
  /** Writes what `change` makes of the newest value. */
  update: (change: (value: Value) => Value) => void;
  /** Forgets the value everywhere. */
  clear: () => void;
  /** Calls back when this tab or another one changes the value. */
  subscribe: (changed: () => void) => () => void;
}

/**
 * A store under a name. `parse` makes a value of whatever was found there, also of nothing and of nonsense. What one
 * tab keeps for itself ends with it.
 */
export function createBrowserStore<Value>(
  name: string,
  parse: (found: unknown) => Value,
  keptBy: "browser" | "tab" = "browser",
): BrowserStore<Value> {
  const area = keptBy === "tab" ? "sessionStorage" : "localStorage";
  const listeners = new Set<() => void>();
  let text: string | null | undefined;
  let value: Value = parse(undefined);
  // After a refusal what storage still holds is old, and this page's value the only true one.
  let isRefused = false;

  function get(): Value {
    const found = isRefused ? text : readText(area, name);
    if (found !== undefined && found !== text) {
      text = found;
      value = parse(parseJson(found));
    }
    return value;
  }

  function write(next: string | null, nextValue: Value): void {
    text = next;
    value = nextValue;
    isRefused = !writeText(area, name, next);
    for (const changed of listeners) changed();
  }

  return {
    get,
    update: (change) => {
      const next = change(get());
      write(JSON.stringify(next), next);
    },
    clear: () => write(null, parse(undefined)),
    subscribe: (changed) => {
      const onStorage = (event: StorageEvent) => {
        // A null key says that everything was cleared.
        if (event.key === name || event.key === null) changed();
      };
      listeners.add(changed);
      window.addEventListener("storage", onStorage);
      return () => {
        listeners.delete(changed);
        window.removeEventListener("storage", onStorage);
      };
    },
  };
}

/** What storage holds; undefined where it may not be asked. */
function readText(area: StorageArea, name: string): string | null | undefined {
  try {
    return window[area].getItem(name);
  } catch {
    return undefined;
  }
}

/** Whether it was written. */
function writeText(area: StorageArea, name: string, text: string | null): boolean {
  try {
    if (text === null) window[area].removeItem(name);
    else window[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
