import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { openTab } from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import type { SiteImage } from "../siteImages/SiteImages.tsx";

const PATH = "/api/admin/site-images";
const PLACE = `${PATH}/label_mark` as const;

function aMark(changes: Partial<SiteImage> = {}): SiteImage {
  return {
    id: "019aa000-0000-7000-8000-0000000000a9",
    key: "label_mark",
    image_url: "/media/assets/1-a.svg",
    image_small_url: null,
    image_sizes: null,
    image_width: 512,
    image_height: 64,
    alt_text: null,
    description: "Mark of the label",
    is_default: false,
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
    version: 1,
    ...changes,
  };
}

function keepImages(...images: SiteImage[]) {
  const kept = { images };
  server.use(
    http.get(`*${PATH}`, () => HttpResponse.json({ items: kept.images, next_cursor: null })),
    http.get("*/api/admin/content", () =>
      HttpResponse.json({
        items: [
          {
            id: "a",
            key: "label_name",
            value: "",
            description: null,
            created_at: "2026-11-01T10:00:00Z",
            updated_at: "2026-11-01T10:00:00Z",
            version: 1,
          },
        ],
        next_cursor: null,
      }),
    ),
  );
  return kept;
}

const SVG = new File(["<svg/>"], "mark.svg", { type: "image/svg+xml" });

it("uploads a mark, shows it, and removes it", async () => {
  const kept = keepImages();
  const { user } = openTab("content");
  const card = within(await screen.findByRole("region", { name: "Mark" }));
  expect(await card.findByText("None: the label's name stands alone.")).toBeTruthy();
  await user.upload(card.getByLabelText("Mark file"), SVG);
  expect(await card.findByAltText("The chosen file")).toBeTruthy();
  kept.images = [aMark()];
  const placed = answerCall("put", PLACE, aMark());
  await user.dblClick(card.getByRole("button", { name: "Put On The Site" }));
  const shown = await card.findByAltText("The mark now");
  expect(placed).toHaveLength(1);
  expect(shown.getAttribute("src")).toBe("/media/assets/1-a.svg");
  expect([shown.getAttribute("width"), shown.getAttribute("height")]).toEqual(["280", "35"]);

  server.use(http.delete(`*${PATH}/:image`, () => new HttpResponse(null, { status: 204 })));
  kept.images = [];
  await user.click(card.getByRole("button", { name: "Remove" }));
  expect(await card.findByText("None: the label's name stands alone.")).toBeTruthy();
});

it("says why a mark is refused, and keeps the file for another try", async () => {
  keepImages();
  const { user } = openTab("content");
  const card = within(await screen.findByRole("region", { name: "Mark" }));
  await user.upload(card.getByLabelText("Mark file"), SVG);
  const said = "This SVG has text, which depends on fonts. Please turn its text into paths";
  refuseCall("put", PLACE, 422, { code: "mark_text", fields: { file: said } });
  await user.click(await card.findByRole("button", { name: "Put On The Site" }));
  expect(await screen.findAllByText(said)).not.toEqual([]);
  expect(card.getByRole("button", { name: "Put On The Site" })).toBeTruthy();
  await user.click(card.getByRole("button", { name: "Cancel" }));
  expect(card.queryByAltText("The chosen file")).toBeNull();
});

it("keeps a chosen file in sight while texts are searched", async () => {
  keepImages();
  const { user } = openTab("content");
  const card = within(await screen.findByRole("region", { name: "Mark" }));
  await user.upload(card.getByLabelText("Mark file"), SVG);
  await card.findByAltText("The chosen file");
  const search = screen.getByRole("searchbox", { name: "Search texts" });
  for (const typed of ["name", "zz"]) {
    await user.type(search, typed);
    expect(screen.getByAltText("The chosen file")).toBeTruthy();
  }
  await user.click(card.getByRole("button", { name: "Cancel" }));
  expect(screen.queryByRole("region", { name: "Mark" })).toBeNull();
  expect(screen.getByText("Nothing found for “namezz”")).toBeTruthy();
});

it("does not say that there is no mark while the images cannot be read", async () => {
  keepImages();
  vi.spyOn(console, "error").mockReturnValue();
  refuseCall("get", PATH, 503, { code: "busy" }, { once: true });
  openTab("content");
  const card = within(await screen.findByRole("region", { name: "Mark" }));
  expect(await card.findByText("Failed to fetch images")).toBeTruthy();
  expect(card.queryByText(/^None:/)).toBeNull();
  expect(await card.findByText("None: the label's name stands alone.")).toBeTruthy();
});
