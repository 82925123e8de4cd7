// A value kept in the browser over reloads, by one tab or all. It holds no secrets. If storage is refused (private
// windows, full disks), the value lives as long as the page.
import { parseJson } from "../api/client.ts";

type StorageArea = "localStorage" | "sessionStorage";

export interface BrowserStore<Value> {
  /** The newest value of all tabs; the same object until it changes. */
  get: () => Value;
  update: (change: (value: Value) => Value) => void;
  clear: () => void;
  subscribe: (changed: () => void) => () => void;
}

/** A store under a name. `parse` must accept anything, also undefined and nonsense. A tab's value ends with the tab. */
export function createBrowserStore<Value>(
  name: string,
  parse: (found: unknown) => Value,
  keptBy: "browser" | "tab" = "browser",
): BrowserStore<Value> {
  const area = keptBy === "tab" ? "sessionStorage" : "localStorage";
  let text: string | null | undefined;
  let value: Value = parse(undefined);
  // After a refusal storage is outdated, and only this page's value is true.
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
    // Other tabs get this event from the browser.
    window.dispatchEvent(new StorageEvent("storage", { key: name }));
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
        // A null key means that everything was cleared.
        if (event.key === name || event.key === null) changed();
      };
      window.addEventListener("storage", onStorage);
      return () => window.removeEventListener("storage", onStorage);
    },
  };
}

/** The stored text; undefined if reading is refused. */
function readText(area: StorageArea, name: string): string | null | undefined {
  try {
    return window[area].getItem(name);
  } catch {
    return undefined;
  }
}

function writeText(area: StorageArea, name: string, text: string | null): boolean {
  try {
    if (text === null) window[area].removeItem(name);
    else window[area].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
