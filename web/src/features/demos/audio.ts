// Loads crates/audio, which inspects chosen files, and is the only importer of its package. It is a courtesy, as the
// rules are: without it the server decides alone. Only this dialog loads it.
import { instantiate } from "@deadwax/audio";
import wasmUrl from "@deadwax/audio/audio_wasm_bg.wasm?url";
import { RULES_LOAD_MS } from "../../rules/generated/constants.ts";

type Audio = Awaited<ReturnType<typeof instantiate>>;

let loading: Promise<Audio | undefined> | undefined;
let isFailureTold = false;
let isBroken = false;

/** Fetches the module once; undefined after a failure, which the next call retries. Never throws. */
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

/** After an exception the module can't be trusted, and is not used again on this page. */
export function giveUpAudio(error: unknown): void {
  isBroken = true;
  console.error("the look at chosen files failed; the server judges alone from here on", error);
}
