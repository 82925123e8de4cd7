// The rules of crates/rules in the browser, and the only importer of their WebAssembly package. It holds no rule itself.
//
// The rules are courtesy here: the server decides. So a page paints without them, loads them when it is idle or when
// its first form opens, and goes on without them when they fail.

export type Rules = typeof import("#rules-wasm");

type State = { at: "absent" } | { at: "ready"; rules: Rules } | { at: "broken" };

let state: State = { at: "absent" };
let loading: Promise<boolean> | undefined;

/** Fetches the rules once and says whether they can be used. A failed fetch is tried again at the next call. */
export function loadRules(): Promise<boolean> {
  if (state.at !== "absent") return Promise.resolve(state.at === "ready");
  loading ??= import("#rules-wasm")
    .then((rules) => {
      state = { at: "ready", rules };
      return true;
    })
    .catch((error: unknown) => {
      console.error("the rules could not be loaded", error);
      return false;
    })
    .finally(() => {
      loading = undefined;
    });
  return loading;
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
    console.error("the rules failed; the server checks alone from here on", error);
    return undefined;
  }
}
