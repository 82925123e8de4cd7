// Where the sound of a demo is.
import type { DeskDemo, SoundTrack } from "./deskTypes.ts";

export function isArchive({ content_type }: DeskDemo): boolean {
  return !content_type.startsWith("audio/");
}

export function fileOf(id: string): string {
  return `/api/admin/demos/${id}/file`;
}

/** Whether a track is packed by a method that the server does not unpack. */
export function isPackedOtherwise({ sound }: SoundTrack): boolean {
  return sound.failure === "packed";
}

/**
 * What a player opens; undefined for an archive without a track, and for a track that is not unpacked. Another file that its sender puts
 * in its place has another source, by what stands behind the `#` and is not sent.
 */
export function sourceOf(demo: DeskDemo, track: SoundTrack | undefined): string | undefined {
  const file = `#${encodeURIComponent(demo.file_name)}`;
  if (!isArchive(demo)) return `${fileOf(demo.id)}?inline=true${file}`;
  if (!track || isPackedOtherwise(track)) return undefined;
  return `/api/admin/demos/${demo.id}/tracks/${track.index}/file${file}`;
}

/** What counts as heard together: all that is in a demo, until its sender puts another file in its place. */
export function recordingOf({ id, file_name }: DeskDemo): string {
  return `${id} ${file_name}`;
}

/** The track that is heard: the one that was chosen, else the first that can be. */
export function trackOf(
  tracks: readonly SoundTrack[] | undefined,
  chosen: number | undefined,
): SoundTrack | undefined {
  return tracks?.find(({ index }) => index === chosen) ?? tracks?.find(isHearable) ?? tracks?.[0];
}

/** The track before (-1) or after (1) another one, past those that nobody can hear. */
export function trackBeside(
  tracks: readonly SoundTrack[],
  index: number,
  way: 1 | -1,
): SoundTrack | undefined {
  const beside = tracks.filter((track) => isHearable(track) && (track.index - index) * way > 0);
  return way === 1 ? beside[0] : beside.at(-1);
}

function isHearable({ sound }: SoundTrack): boolean {
  return sound.state !== "failed";
}
