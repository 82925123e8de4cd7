// The rules of crates/rules in the browser, and the only importer of their package. It holds no rule itself.
//
// The rules are a courtesy here: the server decides. A page paints without them, loads them when a form, a dialog or the
// terminal is first used, waits for them a moment at most, and works without them when they fail.
import wasmUrl from "@deadwax/rules/rules_wasm_bg.wasm?url";
import { createAtom } from "@tanstack/react-store";
import { lazyCode } from "../code/lazyCode.ts";
import { RULES_LOAD_MS, RULES_PAUSE_MS, RULES_WAIT_MS } from "./generated/constants.ts";

export type Rules = typeof import("@deadwax/rules/bundler");

/** Whether the rules are here, or expected for the first time, or out of reach. */
export type RulesState = "loading" | "ready" | "absent";

/** Never "loading" again after it was "absent": nothing on show waits twice. */
export const rulesState = createAtom<RulesState>("loading");

const code = lazyCode(fetchRules);
let isBroken = false;
let loading: Promise<boolean> | undefined;
let notBefore = 0;
let isFailureLogged = false;

/**
 * Fetches the rules once. Resolves to whether they can be used, after `RULES_WAIT_MS` to false. A failed load is
 * repeated by the next call after a pause.
 */
export function loadRules(): Promise<boolean> {
  if (isBroken) return Promise.resolve(false);
  if (code.loaded()) return Promise.resolve(true);
  if (!loading && Date.now() < notBefore) return Promise.resolve(false);
  loading ??= withinPatience(load());
  return loading;
}

async function load(): Promise<boolean> {
  try {
    await code.load();
  } catch (error) {
    notBefore = Date.now() + RULES_PAUSE_MS;
    if (!isFailureLogged) console.error("the rules could not be loaded", error);
    isFailureLogged = true;
  }
  loading = undefined;
  const isReady = code.loaded() !== undefined;
  rulesState.set(isReady ? "ready" : "absent");
  return isReady;
}

/**
 * The package compiles while it is imported, and a failed import stays failed for the document. So the bytes are
 * fetched first, and the import finds them in the browser's cache.
 */
async function fetchRules(): Promise<Rules> {
  const response = await fetch(new URL(wasmUrl, globalThis.location.origin), {
    signal: AbortSignal.timeout(RULES_LOAD_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  if (!WebAssembly.validate(await response.arrayBuffer())) throw new Error("not a module");
  return import("@deadwax/rules/bundler");
}

/** The same result, or false after `RULES_WAIT_MS`. */
function withinPatience(load: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      rulesState.set("absent");
      resolve(false);
    }, RULES_WAIT_MS);
    void load.then((isReady) => {
      clearTimeout(timer);
      resolve(isReady);
    });
  });
}

/**
 * The result of a rule; undefined without the rules: then the server decides. An exception means a wrong type or a
 * trap, after which the instance can't be trusted, so the first one ends all checks on this page.
 */
export function withRules<T>(ask: (rules: Rules) => T): T | undefined {
  const rules = code.loaded();
  if (!rules || isBroken) return undefined;
  try {
    return ask(rules);
  } catch (error) {
    isBroken = true;
    // A component may be rendering, and must not be updated by it.
    queueMicrotask(() => rulesState.set("absent"));
    console.error("the rules failed; the server checks alone from here on", error);
    return undefined;
  }
}
