import { fileOf, isSound } from "../demos/demo.ts";
import type { DeskDemo, SoundTrack } from "./deskTypes.ts";

/** The server cannot unpack this compression method. */
export function isPackedOtherwise({ sound }: SoundTrack): boolean {
  return sound.failure === "packed";
}

/** Undefined for an archive without a playable track. The fragment makes a replaced file a new source; it is not sent. */
export function sourceOf(demo: DeskDemo, track: SoundTrack | undefined): string | undefined {
  const file = `#${encodeURIComponent(demo.file_name)}`;
  if (isSound(demo)) return `${fileOf(demo)}?inline=true${file}`;
  if (!track || isPackedOtherwise(track)) return undefined;
  return `/api/admin/demos/${demo.id}/tracks/${track.index}/file${file}`;
}

/** Identifies what counts as one listening: all tracks of a demo, until its file is replaced. */
export function recordingOf({ id, file_name }: DeskDemo): string {
  return `${id} ${file_name}`;
}

/** The chosen track, or else the first playable one. */
export function trackOf(
  tracks: readonly SoundTrack[] | undefined,
  chosen: number | undefined,
): SoundTrack | undefined {
  return tracks?.find(({ index }) => index === chosen) ?? tracks?.find(isHearable) ?? tracks?.[0];
}

/** The next playable track before (-1) or after (1) an index. */
export function trackBeside(
  tracks: readonly SoundTrack[],
  index: number,
  step: 1 | -1,
): SoundTrack | undefined {
  const beside = tracks.filter((track) => isHearable(track) && (track.index - index) * step > 0);
  return step === 1 ? beside[0] : beside.at(-1);
}

function isHearable({ sound }: SoundTrack): boolean {
  return sound.state !== "failed";
}
