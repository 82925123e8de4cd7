// Pointing at a link prefetches the data of its page.
import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { seeAs } from "../testing/calls.ts";
import { ALL_LIVE, anArtist, aRelease } from "../testing/catalogue.ts";
import { answer, answerBy, page, refuse } from "../testing/fakeApi.ts";
import { anAdmin } from "../testing/people.ts";
import { renderPath } from "../testing/renderPath.tsx";

const RELEASES = "/api/releases?limit=50";

it("a link that is pointed at brings its page's data", async () => {
  answer("/api/releases", page([aRelease({ title: "Ghost Plate" })]));
  const { client, router, user } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  expect(client.getQueryState([RELEASES])).toBeUndefined();
  await user.hover(screen.getAllByRole("link", { name: "RELEASES" })[0] as HTMLElement);
  await waitFor(() => expect(client.getQueryState([RELEASES])?.status).toBe("success"));
  expect(router.state.location.pathname).toBe("/store");
});

it("what a link brought is read once, however often it is pointed at and opened", async () => {
  let reads = 0;
  answerBy("/api/releases", () => {
    reads += 1;
    return page([aRelease({ title: "Ghost Plate" })]);
  });
  const { user } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  const link = screen.getAllByRole("link", { name: "RELEASES" })[0] as HTMLElement;
  await user.hover(link);
  await user.unhover(link);
  await user.click(link);
  await screen.findByText("Ghost Plate");
  expect(reads).toBe(1);
});

it("a read made ahead that failed is made again when its page is open, and not before", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  refuse("/api/releases", 503);
  const { client, user } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  const link = screen.getAllByRole("link", { name: "RELEASES" })[0] as HTMLElement;
  await user.hover(link);
  await waitFor(() => expect(client.getQueryState([RELEASES])?.status).toBe("error"));
  expect(client.getQueryState([RELEASES])?.fetchStatus).toBe("idle");
  answer("/api/releases", page([aRelease({ title: "Ghost Plate" })]));
  await user.click(link);
  await screen.findByText("Ghost Plate");
});

it("an artist's link brings the artist and their releases", async () => {
  const artist = anArtist();
  answer("/api/artists/{id}", artist);
  const { client, router } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  await router.preloadRoute({ to: "/artists/$artistId", params: { artistId: artist.id } });
  await waitFor(() => {
    expect(client.getQueryState([`/api/artists/${artist.id}`])?.status).toBe("success");
    const releases = `/api/releases?artist_id=${artist.id}&limit=50`;
    expect(client.getQueryState([releases])?.status).toBe("success");
  });
});

it("of an artist who does not exist no releases are asked for", async () => {
  refuse("/api/artists/{id}", 404);
  const { client, router } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  await router.preloadRoute({ to: "/artists/$artistId", params: { artistId: "not-an-id" } });
  await waitFor(() =>
    expect(client.getQueryState(["/api/artists/not-an-id"])?.status).toBe("error"),
  );
  expect(client.getQueryState(["/api/releases?artist_id=not-an-id&limit=50"])).toBeUndefined();
});

it("a page in maintenance is not read for those it is closed to", async () => {
  const items = ALL_LIVE.map((setting) => ({
    ...setting,
    is_maintenance_mode: setting.page_key === "releases",
  }));
  answer("/api/maintenance", page(items));
  const { client, router } = renderPath("/store");
  await screen.findByRole("heading", { name: "COMING SOON" });
  await router.preloadRoute({ to: "/releases" });
  expect(client.getQueryState([RELEASES])).toBeUndefined();
});

it("a tab of the dashboard that is pointed at brings its rows", async () => {
  seeAs(anAdmin());
  const { client, user } = renderPath("/admin");
  await user.hover(await screen.findByRole("tab", { name: "Releases" }));
  await waitFor(() =>
    expect(client.getQueryState(["/api/admin/releases?limit=50"])?.status).toBe("success"),
  );
});
