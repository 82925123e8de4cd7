import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { refuseCall } from "../../testing/calls.ts";
import { anArchivedLetter, LETTER_PARTS } from "../../testing/catalogue.ts";
import { answer, page } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

describe("the archive of letters", () => {
  it("lists letters with their day, and says which were stopped", async () => {
    answer(
      "/api/letters",
      page([anArchivedLetter(), anArchivedLetter({ slug: "old", is_stopped: true })]),
    );
    renderPath("/letters");
    const list = within(await screen.findByRole("list", { name: "Letters" }));
    const [first] = list.getAllByRole("link");
    expect(first?.getAttribute("href")).toBe("/letters/news");
    expect(list.getAllByText("STOPPED BEFORE IT REACHED EVERYONE")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "FEED" }).getAttribute("href")).toBe("/letters.xml");
  });

  it("says when there are none", async () => {
    renderPath("/letters");
    expect(await screen.findByText("No letters yet")).toBeTruthy();
  });

  it("shows a letter with all of its parts", async () => {
    answer("/api/letters/{slug}", { ...anArchivedLetter(), parts: LETTER_PARTS });
    renderPath("/letters/news");
    const letter = within(await screen.findByRole("article", { name: "News & more" }));
    expect(letter.getByRole("heading", { name: "Out now" })).toBeTruthy();
    expect(letter.getByText("The sleeve")).toBeTruthy();
    expect(letter.getByRole("img", { name: "Artwork of Signal" })).toBeTruthy();
    expect(letter.getByRole("link", { name: "Signal" }).getAttribute("href")).toBe(
      "/releases/404-009",
    );
    const outside = letter.getByRole("link", { name: "Listen" });
    expect(outside.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("has no page for a letter that is not in the archive", async () => {
    refuseCall("get", "/api/letters/none" as never, 404, { code: "not_found" });
    renderPath("/letters/none");
    expect(await screen.findByRole("link", { name: /RETURN TO LETTERS/i })).toBeTruthy();
  });
});
