// Inspects a chosen file before it is sent: the server's own verdict, and a line about it. Reads only the bytes it
// needs, and is the only importer of the package of crates/audio. Without it the server decides alone.
import { type Finding, instantiate, type Probe, type Problem } from "@deadwax/audio";
import wasmUrl from "@deadwax/audio/audio_wasm_bg.wasm?url";
import { lazyCode } from "../../code/lazyCode.ts";
import { RULES_LOAD_MS } from "../../rules/generated/constants.ts";

/** A line such as `WAV, 24 bit, 48 kHz, 3:12`, empty if the file says too little; or the reason for a refusal. */
export type Verdict = { line: string } | { problem: Problem };

/** Undefined if the verdict is unknown, or not known before `end`: then the server decides. Never throws. */
export function probeFile(file: File, end: AbortSignal): Promise<Verdict | undefined> {
  return before(end, find(file, end));
}

/** The result, or undefined once `end` has come. */
export function before<Result>(
  end: AbortSignal,
  result: Promise<Result>,
): Promise<Result | undefined> {
  const isOver = new Promise<undefined>((resolve) => {
    if (end.aborted) resolve(undefined);
    end.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([isOver, result]);
}

async function find(file: File, end: AbortSignal): Promise<Verdict | undefined> {
  const loaded = await loadAudio();
  if (!loaded || end.aborted) return undefined;
  try {
    const probe = new loaded.Probe(file.name, file.size);
    const finding = await go(probe, file, end);
    probe.free();
    if (finding.at === "refused") return { problem: finding.problem };
    return finding.at === "right" ? { line: finding.line ?? "" } : undefined;
  } catch (error) {
    // After an exception the module can't be trusted, and is not used again on this page.
    isBroken = true;
    console.error("inspecting a chosen file failed; the server judges alone from here on", error);
    return undefined;
  }
}

/** Reads missing bytes until the verdict is known. An unreadable file is reported when it is sent. */
async function go(probe: Probe, file: File, end: AbortSignal): Promise<Finding> {
  for (;;) {
    const finding = probe.advance();
    if (finding.at !== "missing") return finding;
    const bytes = await file
      .slice(finding.start, finding.end)
      .arrayBuffer()
      .catch(() => undefined);
    if (!bytes || end.aborted) return finding;
    probe.take(new Uint8Array(bytes));
  }
}

type Audio = Awaited<ReturnType<typeof instantiate>>;

const audio = lazyCode(fetchAudio);
let isFailureLogged = false;
let isBroken = false;

/** Fetches the module once; undefined after a failure, which the next call retries. Never throws. */
export async function loadAudio(): Promise<Audio | undefined> {
  if (isBroken) return undefined;
  try {
    return await audio.load();
  } catch (error) {
    if (!isFailureLogged) console.error("chosen files cannot be inspected", error);
    isFailureLogged = true;
    return undefined;
  }
}

async function fetchAudio(): Promise<Audio> {
  const response = await fetch(new URL(wasmUrl, globalThis.location.origin), {
    signal: AbortSignal.timeout(RULES_LOAD_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return instantiate(await response.arrayBuffer());
}
