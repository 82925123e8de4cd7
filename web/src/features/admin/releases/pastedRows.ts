// Reads pasted lines as tracks or credits, the way the server's rules read a table. A line that cannot be read becomes a title or a name.
import type { ReleaseInputs, TrackInputs } from "../../../rules/forms/inputs.ts";

type CreditInputs = ReleaseInputs["credits"][number];

/** `[A1] Title / Artist 6:12`; position, artist and length are optional. */
export function pastedTracks(text: string): TrackInputs[] {
  return linesOf(text).map((whole) => {
    const [, side = "", line = whole] = /^\[([a-z]{1,2}\d{0,2})\]\s*(\S.*)$/i.exec(whole) ?? [];
    const position = side.toUpperCase();
    const timed = /^(.*\S)\s+(\d{1,3}(?::[0-5]\d){1,2})$/.exec(line);
    const named = timed?.[1] ?? line;
    const by = named.lastIndexOf(" / ");
    const title = (by < 0 ? named : named.slice(0, by)).trim();
    if (title === "" || title === "/" || title.startsWith("/ ")) {
      return { position, title: line, artist: "", duration_seconds: "" };
    }
    const artist = by < 0 ? "" : named.slice(by + 3).trim();
    const length = timed?.[2] ?? "";
    return { position, title: plain(title), artist: plain(artist), duration_seconds: length };
  });
}

export function pastedCredits(text: string): CreditInputs[] {
  return linesOf(text).map((line) => {
    const [, role = "", name = line] = /^((?:[^:\\]|\\.)+):(.+)$/.exec(line) ?? [];
    return { role: plain(role.trim()), name: plain(name.trim()) };
  });
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Removes the backslashes of escaped characters. */
function plain(text: string): string {
  return text.replace(/\\([\\/:[])/g, "$1");
}
