import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aLabel } from "../testing/catalogue.ts";
import { answer } from "../testing/fakeApi.ts";
import { FakeEventSource } from "../testing/fakeEventSource.ts";
import { renderPath } from "../testing/renderPath.tsx";

it("an open page takes the label's new name and colour", async () => {
  renderPath("/contact");
  await waitFor(() => expect(document.title).toMatch(/— 404 COLLECTIVE$/));
  answer("/api/label", aLabel({ name: "Mira & Söhne", signal: "#ffd400" }));
  FakeEventSource.current.say(
    "change",
    { table: "site_content", op: "update", key: "label_name" },
    "2",
  );
  await waitFor(() => expect(document.title).toMatch(/— Mira & Söhne$/));
  expect(screen.getAllByText("Mira & Söhne").length).toBeGreaterThan(0);
  const { style } = document.documentElement;
  await waitFor(() => expect(style.getPropertyValue("--color-signal")).toBe("#ffd400"));
  style.removeProperty("--color-signal");
});

it("the foot and the ribbon show the label's links and lines, and follow them", async () => {
  renderPath("/contact");
  const foot = within(await screen.findByRole("contentinfo"));
  expect(await foot.findByText("© 2024 404 COLLECTIVE")).toBeTruthy();
  expect(foot.queryByRole("navigation", { name: "ELSEWHERE" })).toBeNull();
  const ribbon = () => document.querySelector("svg text")?.textContent ?? "";
  expect(ribbon()).toMatch(/^404 COLLECTIVE ~ SIDE A/);
  answer(
    "/api/label",
    aLabel({
      links: [{ name: "Bandcamp", url: "https://mira.bandcamp.com" }],
      ribbon: "NO SIDE B",
      copyright: "℗ Mira",
    }),
  );
  FakeEventSource.current.say(
    "change",
    { table: "site_content", op: "update", key: "label_links" },
    "2",
  );
  const link = await foot.findByRole("link", { name: "Bandcamp" });
  expect(link.getAttribute("href")).toBe("https://mira.bandcamp.com");
  expect(link.getAttribute("rel")).toBe("noopener noreferrer");
  expect(foot.getByRole("navigation", { name: "ELSEWHERE" })).toBeTruthy();
  expect(foot.getByText("℗ Mira")).toBeTruthy();
  expect(ribbon()).toMatch(/^(NO SIDE B ~ ){20,}$/);
});

it("the head of a page shows the mark instead of the name, or beside it", async () => {
  const mark = { url: "/media/assets/1-a.svg", width: 512, height: 64, has_name: false };
  renderPath("/contact", { event_id: 1, queries: [{ url: "/api/label", body: aLabel() }] });
  const home = await screen.findByRole("link", { name: "404 COLLECTIVE" });
  answer("/api/label", aLabel({ name: "Mira", mark }));
  FakeEventSource.current.say(
    "change",
    { table: "site_images", op: "insert", key: "label_mark" },
    "2",
  );
  const alone = await within(home).findByRole("img", { name: "Mira" });
  expect([alone.getAttribute("width"), alone.getAttribute("height")]).toEqual(["184", "23"]);
  expect(home.textContent).toBe("");

  answer("/api/label", aLabel({ name: "Mira", mark: { ...mark, height: 2048, has_name: true } }));
  FakeEventSource.current.say(
    "change",
    { table: "site_content", op: "update", key: "label_header" },
    "3",
  );
  await waitFor(() => expect(home.textContent).toBe("Mira"));
  const beside = home.querySelector("img");
  expect(beside?.alt).toBe("");
  expect([beside?.width, beside?.height]).toEqual([8, 32]);

  answer("/api/label", aLabel({ name: "Mira" }));
  FakeEventSource.current.say(
    "change",
    { table: "site_images", op: "delete", key: "label_mark" },
    "4",
  );
  await waitFor(() => expect(home.querySelector("img")).toBeNull());
});

it("a document without data reads the label, without an event", async () => {
  answer("/api/label", aLabel({ links: [{ name: "Bandcamp", url: "https://mira.bandcamp.com" }] }));
  renderPath("/contact");
  expect(await screen.findByRole("link", { name: "Bandcamp" })).toBeTruthy();
});
