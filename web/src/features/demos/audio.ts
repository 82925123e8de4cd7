// The look at a chosen file, of crates/audio in the browser, and the only importer of its package. It decides nothing itself.
//
// It is courtesy, as the rules are: where it cannot be had, the server judges alone. It is loaded with this dialog and by nobody else.
import { instantiate } from "@deadwax/audio";
import wasmUrl from "@deadwax/audio/audio_wasm_bg.wasm?url";
import { RULES_LOAD_MS } from "../../rules/generated/constants.ts";

type Audio = Awaited<ReturnType<typeof instantiate>>;

let loading: Promise<Audio | undefined> | undefined;
let isFailureTold = false;
let isBroken = false;

/** Fetches the module once; nothing where that fails, and the next call begins afresh. Never throws. */
export function loadAudio(): Promise<Audio | undefined> {
  if (isBroken) return Promise.resolve(undefined);
  loading ??= fetchAudio().catch((error: unknown) => {
    loading = undefined;
    if (!isFailureTold) console.error("chosen files cannot be looked at", error);
    isFailureTold = true;
    return undefined;
  });
  return loading;
}

async function fetchAudio(): Promise<Audio> {
  const response = await fetch(new URL(wasmUrl, globalThis.location.origin), {
    signal: AbortSignal.timeout(RULES_LOAD_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return instantiate(await response.arrayBuffer());
}

/** After an exception the module can no longer be trusted, and is asked no more on this page. */
export function giveUpAudio(error: unknown): void {
  isBroken = true;
  console.error("the look at chosen files failed; the server judges alone from here on", error);
}
