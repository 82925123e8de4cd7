// The rules of crates/rules in the browser, and the only importer of their package. It holds no rule itself.
//
// The rules are courtesy here: the server decides. So a page paints without them, loads them when it is idle or when
// its first form opens, waits for them a moment at most, and goes on without them when they fail.
import wasmUrl from "@deadwax/rules/rules_wasm_bg.wasm?url";
import { RULES_LOAD_MS, RULES_PAUSE_MS, RULES_WAIT_MS } from "./generated/constants.ts";

export type Rules = typeof import("@deadwax/rules/bundler");

type State = { at: "absent" } | { at: "ready"; rules: Rules } | { at: "broken" };

/** Whether the rules are there, on their first way here, or out of reach. */
export type RulesState = "loading" | "ready" | "absent";

let state: State = { at: "absent" };
let loading: Promise<boolean> | undefined;
/** True once the first load has ended, or taken too long. */
let isPatienceOver = false;
let notBefore = 0;
let isFailureTold = false;
const listeners = new Set<() => void>();

/**
 * Fetches the rules once and says whether they can be used; after `RULES_WAIT_MS` it says no. A load that failed is begun
 * afresh by the next call after a pause.
 */
export function loadRules(): Promise<boolean> {
  if (state.at === "ready") return Promise.resolve(true);
  if (state.at === "broken" || (!loading && Date.now() < notBefore)) return Promise.resolve(false);
  loading ??= withinPatience(load());
  return loading;
}

/** Fetches the rules and keeps them. Never throws. */
async function load(): Promise<boolean> {
  try {
    state = { at: "ready", rules: await fetchRules() };
  } catch (error) {
    notBefore = Date.now() + RULES_PAUSE_MS;
    if (!isFailureTold) console.error("the rules could not be loaded", error);
    isFailureTold = true;
  }
  loading = undefined;
  tell();
  return state.at === "ready";
}

/**
 * The package compiles itself while it is imported, and an import that threw stays failed for as long as the document
 * lives. So its bytes are fetched first, as often as that takes, and the import finds them in the browser's cache.
 */
async function fetchRules(): Promise<Rules> {
  const response = await fetch(new URL(wasmUrl, globalThis.location.origin), {
    signal: AbortSignal.timeout(RULES_LOAD_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  if (!WebAssembly.validate(await response.arrayBuffer())) throw new Error("not a module");
  return import("@deadwax/rules/bundler");
}

/** The same answer, or no after a while. */
function withinPatience(load: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      tell();
      resolve(false);
    }, RULES_WAIT_MS);
    void load.then((isReady) => {
      clearTimeout(timer);
      resolve(isReady);
    });
  });
}

function tell(): void {
  isPatienceOver = true;
  for (const changed of listeners) changed();
}

/** Calls back when the rules have come, or are not waited for any more. */
export function subscribeToRules(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** How it stands. What was once said to be absent is never loading again: nothing on show waits twice. */
export function rulesState(): RulesState {
  if (state.at === "ready") return "ready";
  return state.at === "broken" || isPatienceOver ? "absent" : "loading";
}

/**
 * What a rule answers, or undefined where the rules are not there: then the server's answer serves.
 *
 * An exception means a wrong type or a trap, and after a trap the instance can no longer be trusted. So the first one
 * ends the checks of this page, and nobody is kept from sending a form by it.
 */
export function withRules<T>(ask: (rules: Rules) => T): T | undefined {
  if (state.at !== "ready") return undefined;
  try {
    return ask(state.rules);
  } catch (error) {
    state = { at: "broken" };
    // Not while a component is drawn, as it may be.
    queueMicrotask(tell);
    console.error("the rules failed; the server checks alone from here on", error);
    return undefined;
  }
}
