import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { BUILT_IN_TEXTS } from "../../api/builtInTexts.ts";
import { aLabel, TEXTS } from "../../testing/catalogue.ts";
import { answer, hang, page, refuse } from "../../testing/fakeApi.ts";
import { FakeEventSource } from "../../testing/fakeEventSource.ts";
import { renderPath } from "../../testing/renderPath.tsx";

describe("the home page", () => {
  it("shows every text of its hero, its manifesto and its newsletter", async () => {
    renderPath("/");
    expect(
      await screen.findByRole("heading", { level: 1, name: "the hero_main_title text" }),
    ).toBeTruthy();
    for (const { key, value } of TEXTS.filter(({ key }) => !key.startsWith("artists_"))) {
      expect(screen.getByText(value), key).toBeTruthy();
    }
  });

  it("shows hairlines, and no words of its own, while the texts are on their way", async () => {
    hang("/api/content");
    renderPath("/");
    const heading = await screen.findByRole("heading", { level: 1 });
    expect(heading.textContent).toBe("");
  });

  it("calls the label by its name where neither texts nor label can be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    document.head.innerHTML = '<meta name="deadwax-label" content="Mira">';
    refuse("/api/content", 500);
    refuse("/api/label", 500);
    renderPath("/");
    expect(await screen.findByRole("heading", { level: 1, name: "Mira" })).toBeTruthy();
    document.head.innerHTML = "";
  });

  it.each([0, 500, 404])(
    "is never blank: with %i in place of the texts it shows the built-in ones",
    async (status) => {
      vi.spyOn(console, "error").mockReturnValue();
      refuse("/api/content", status);
      refuse("/api/site-images/{key}", status);
      renderPath("/");
      expect(await screen.findByRole("heading", { level: 1, name: "404 COLLECTIVE" })).toBeTruthy();
      for (const [key, text] of Object.entries(BUILT_IN_TEXTS)) {
        if (!key.startsWith("artists_"))
          expect(within(screen.getByRole("main")).getByText(text), key).toBeTruthy();
      }
      await waitFor(() => expect(document.querySelector("main img")).not.toBeNull());
      answer("/api/content", page(TEXTS));
      FakeEventSource.current.say("change", { op: "update", key: "k", table: "site_content" }, "9");
      expect(
        await screen.findByRole("heading", { level: 1, name: "the hero_main_title text" }),
      ).toBeTruthy();
    },
  );

  it("goes on with the built-in texts when an answer takes too long", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    hang("/api/content");
    renderPath("/");
    await screen.findByRole("heading", { level: 1 });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("404 COLLECTIVE");
    vi.useRealTimers();
  });

  it("has the label's picture behind the title, with its own words for it", async () => {
    answer("/api/site-images/{key}", {
      key: "hero_background",
      image_url: "/media/assets/hero.webp",
      image_small_url: "/media/assets/hero-small.jpg",
      image_sizes: null,
      image_width: 1600,
      image_height: 900,
      alt_text: "Grooves under a needle",
      description: null,
      is_default: false,
    });
    renderPath("/");
    const picture = await screen.findByRole("img", { name: "Grooves under a needle" });
    expect(picture.getAttribute("srcset")).toBe(
      "/media/assets/hero-small.jpg 640w, /media/assets/hero.webp 1600w",
    );
    expect(document.querySelector(".spindle")).toBeNull();
  });

  it("has the bundled picture where the label has recorded none", async () => {
    renderPath("/");
    await screen.findByText("the hero_subtitle text");
    await waitFor(() =>
      expect(document.querySelector("main img")?.getAttribute("srcset")).toMatch(/hero.*1600w$/),
    );
    expect(document.querySelector(".spindle")).not.toBeNull();
  });

  it("has the name of a label that is not the preset in the groove of the bundled picture", async () => {
    renderPath("/", { event_id: 1, queries: [{ url: "/api/label", body: aLabel() }] });
    await screen.findByText("the hero_subtitle text");
    expect(document.querySelector("main textPath")).toBeNull();
    answer("/api/label", aLabel({ name: "Mira" }));
    FakeEventSource.current.say(
      "change",
      { table: "site_content", op: "update", key: "label_name" },
      "2",
    );
    await waitFor(() => expect(document.querySelector("main textPath")?.textContent).toBe("MIRA"));
  });

  it("says that the connection is lost when the texts cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    refuse("/api/content", 500);
    renderPath("/");
    expect(await screen.findByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
  });

  it("changes with the texts while it is open", async () => {
    renderPath("/");
    await screen.findByText("the hero_subtitle text");
    answer("/api/content", page([{ key: "hero_subtitle", value: "cut anew" }]));
    FakeEventSource.current.say("change", { table: "site_content", op: "update", key: "k" }, "3");
    await waitFor(() => expect(screen.getByText("cut anew")).toBeTruthy());
  });
});
