import { call, type Schemas } from "../../../api/client.ts";
import type { Pictured } from "../../../ui/Picture.tsx";
import { heldRows, type OptionsOf, ordersBy, rowsOf, type SortedRows } from "../lists/useRows.ts";

export type MediaFile = Schemas["MediaFile"];

const KINDS: Readonly<Record<MediaFile["uses"][number]["kind"], string>> = {
  artist: "artist",
  release: "release",
  product: "product",
  site_image: "site image",
  letter: "letter",
};

/** The names of the rows that show files; at most `most` of them. */
export function usesOf(files: readonly MediaFile[], most = Number.POSITIVE_INFINITY): string {
  const uses = files.flatMap((file) => file.uses);
  const all = [...new Map(uses.map((use) => [use.id, use])).values()];
  const names = all.map(({ kind, name }) => `${KINDS[kind]} ${name || "without a subject"}`);
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The names that other rows have for the same. */
export function picturedIn({ id, url, small_url, sizes, width, height }: MediaFile): Pictured {
  return {
    id,
    image_url: url,
    image_small_url: small_url,
    image_sizes: sizes,
    image_width: width,
    image_height: height,
  };
}

const NAMED_IN_TOAST = 8;

export const FILES_PATH = "/api/admin/media";

export const fileCalls: SortedRows<MediaFile> = {
  path: FILES_PATH,
  list: rowsOf("/api/admin/media"),
  remove: (id) => call("DELETE", "/api/admin/media/{id}", { path: { id } }),
  trash: "media",
  shownBy(client, ids) {
    const files = heldRows<MediaFile>(client, FILES_PATH, ids);
    return (gone) => {
      const isGone = new Set(gone);
      return usesOf(
        files.filter(({ id }) => isGone.has(id)),
        NAMED_IN_TOAST,
      );
    };
  },
  options: {
    orders: [...ordersBy("name", "Name"), ["-size", "Largest first"], ["size", "Smallest first"]],
    states: [
      ["used", "In use"],
      ["unused", "Not used"],
      ["not_public", "Not public"],
    ],
  } satisfies OptionsOf<typeof FILES_PATH>,
  // Few at first, because a section follows; full rows of 2, 3, 4 and 6.
  sizes: { first: 24, next: 96 },
};
