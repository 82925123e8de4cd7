// Where the sound of a demo is.
import type { DeskDemo } from "./deskTypes.ts";

export function isArchive({ content_type }: DeskDemo): boolean {
  return !content_type.startsWith("audio/");
}

export function fileOf(id: string): string {
  return `/api/admin/demos/${id}/file`;
}

/** What a player opens; undefined for an archive, which no browser plays. */
export function sourceOf(demo: DeskDemo): string | undefined {
  return isArchive(demo) ? undefined : `${fileOf(demo.id)}?inline=true`;
}
