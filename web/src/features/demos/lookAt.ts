// Inspects a chosen file before it is sent: the server's own verdict, and a line about it. Reads only the bytes it
// needs.
import type { Finding, Look, Problem } from "@deadwax/audio";
import { giveUpAudio, loadAudio } from "./audio.ts";

/** A line such as `WAV, 24 bit, 48 kHz, 3:12`, empty if the file says too little; or the reason for a refusal. */
export type Verdict = { line: string } | { problem: Problem };

/** Undefined if the verdict is unknown, or not known before `end`: then the server decides. Never throws. */
export function lookAt(file: File, end: AbortSignal): Promise<Verdict | undefined> {
  const isOver = new Promise<undefined>((resolve) => {
    end.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  return Promise.race([isOver, find(file, end)]);
}

async function find(file: File, end: AbortSignal): Promise<Verdict | undefined> {
  const audio = await loadAudio();
  if (!audio || end.aborted) return undefined;
  try {
    const look = new audio.Look(file.name, file.size);
    const finding = await go(look, file, end);
    look.free();
    if (finding.at === "refused") return { problem: finding.problem };
    return finding.at === "right" ? { line: finding.line ?? "" } : undefined;
  } catch (error) {
    giveUpAudio(error);
    return undefined;
  }
}

/** Reads missing bytes until the verdict is known. An unreadable file is reported when it is sent. */
async function go(look: Look, file: File, end: AbortSignal): Promise<Finding> {
  for (;;) {
    const finding = look.goOn();
    if (finding.at !== "missing") return finding;
    const bytes = await file
      .slice(finding.start, finding.end)
      .arrayBuffer()
      .catch(() => undefined);
    if (!bytes || end.aborted) return finding;
    look.take(new Uint8Array(bytes));
  }
}
