// Names and texts from right to left: a mark at their end would stand at the wrong side, if they took the direction of
// the page.
import { waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  aDemo,
  anEditableArtist,
  anEditableRelease,
  aProduct,
  keepRows,
  openTab,
} from "../testing/backOffice.ts";
import {
  anArchivedLetter,
  anArtist,
  aRelease,
  aReleaseDetail,
  TEXTS,
} from "../testing/catalogue.ts";
import { answer, page } from "../testing/fakeApi.ts";
import { renderPath } from "../testing/renderPath.tsx";

const TEXT = "שידור ראשון!";
const artist = { id: anArtist().id, name: TEXT };
const release = aRelease({ title: TEXT, description: TEXT, artist });
const other = { slug: "other", title: TEXT };

/** Expects the text so often, each time in an element that takes its direction from it. */
async function expectOwnDirection(times: number) {
  await waitFor(() => {
    const found = textNodes().filter(({ data }) => data.includes(TEXT));
    const lost = found.filter((node) => {
      const directed = node.parentElement?.closest("bdi, [dir=auto]");
      return !directed?.textContent.startsWith(TEXT);
    });
    expect(lost.map((node) => node.parentElement?.outerHTML)).toEqual([]);
    expect(found).toHaveLength(times);
  });
}

function textNodes(): Text[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes.filter((node) => !node.parentElement?.closest(".sr-only"));
}

describe("a text from right to left has its own direction", () => {
  it("on the page of a release", async () => {
    const [track] = aReleaseDetail().tracks;
    if (!track) throw new Error("no track");
    answer(
      "/api/releases/{slug}",
      aReleaseDetail({
        ...release,
        tracks: [{ ...track, title: TEXT, artist: TEXT }],
        credits: [{ role: TEXT, name: TEXT }],
        older: other,
        newer: other,
        more_of_artist: [{ ...release, id: "b" }],
      }),
    );
    renderPath("/releases/404-019");
    await expectOwnDirection(11);
  });

  it("in the list of releases", async () => {
    answer("/api/releases", page([release]));
    renderPath("/releases");
    await expectOwnDirection(3);
  });

  it("on the page of an artist", async () => {
    answer("/api/artists/{id}", anArtist({ name: TEXT, bio: TEXT }));
    answer("/api/releases", page([release]));
    renderPath(`/artists/${artist.id}`);
    await expectOwnDirection(3);
  });

  it("in the list of artists", async () => {
    answer("/api/artists", page([anArtist({ name: TEXT, bio_label: TEXT })]));
    answer("/api/content", page(TEXTS.map((text) => ({ ...text, value: TEXT }))));
    renderPath("/artists");
    await expectOwnDirection(4);
  });

  it("on the home page", async () => {
    const texts = TEXTS.map((text) => ({ ...text, value: TEXT }));
    answer("/api/content", page(texts));
    renderPath("/");
    await expectOwnDirection(texts.filter(({ key }) => !key.startsWith("artists_")).length);
  });

  it("on the maintenance screen", async () => {
    const closed = { page_key: "store", is_maintenance_mode: true, maintenance_message: TEXT };
    answer("/api/maintenance", page([closed]));
    renderPath("/store");
    await expectOwnDirection(1);
  });

  it("in the imprint", async () => {
    answer("/api/content/{key}", { key: "imprint", value: TEXT });
    renderPath("/imprint");
    await expectOwnDirection(1);
  });

  it("in the list of letters", async () => {
    answer("/api/letters", page([anArchivedLetter({ subject: TEXT, preheader: TEXT })]));
    renderPath("/letters");
    await expectOwnDirection(2);
  });

  it("in a letter", async () => {
    answer("/api/letters/{slug}", {
      ...anArchivedLetter({ subject: TEXT }),
      parts: [
        { kind: "heading", text: TEXT },
        { kind: "text", paragraphs: [[{ text: TEXT, bold: false, link: null }]] },
        { kind: "button", text: TEXT, link: "https://l.example" },
        {
          kind: "release",
          release: {
            title: TEXT,
            artist: TEXT,
            number: null,
            page: "/releases/404-009",
            sleeve: null,
            links: [],
          },
          paragraphs: [],
        },
      ],
    });
    renderPath("/letters/news");
    await expectOwnDirection(6);
  });

  it.each([
    ["artists", "/api/admin/artists", anEditableArtist({ name: TEXT, bio: TEXT }), 2],
    [
      "releases",
      "/api/admin/releases",
      anEditableRelease({ title: TEXT, description: TEXT, artist }),
      3,
    ],
    [
      "store",
      "/api/admin/products",
      aProduct({ title: TEXT, category: TEXT, description: TEXT }),
      3,
    ],
    [
      "media",
      "/api/admin/demos",
      aDemo({ artist_label: TEXT, artist_name: TEXT, original_name: TEXT, message: TEXT }),
      3,
    ],
  ] as const)("in the dashboard's list of %s", async (tab, path, row, times) => {
    keepRows(path, row as ReturnType<typeof aProduct>);
    openTab(tab);
    await expectOwnDirection(times);
  });
});
