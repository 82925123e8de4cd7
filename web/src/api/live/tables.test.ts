import { describe, expect, it } from "vitest";
import { isReadOf } from "./tables.ts";

describe("a change of rows", () => {
  it.each([
    // Drafts have catalogue numbers too.
    ["unpublished_releases", "/api/admin/catalog-numbers"],
    ["unpublished_releases", "/api/admin/imports"],
    ["releases", "/api/admin/imports"],
    // The library lists the rows that use a file.
    ["releases", "/api/admin/media"],
    ["artists", "/api/admin/media"],
    ["site_images", "/api/admin/media"],
    ["store_products", "/api/admin/media"],
    ["unpublished_releases", "/api/admin/media"],
    ["unpublished_artists", "/api/admin/media"],
    ["letters", "/api/admin/media"],
    // Without any, the next number begins with the initials of the label's name.
    ["site_content", "/api/admin/catalog-numbers"],
    // An artist without a bio is the label's.
    ["site_content", "/api/artists"],
    // The page of a private link.
    ["releases", "/api/private/secret"],
    ["artists", "/api/private/secret"],
    ["unpublished_releases", "/api/private/secret"],
    ["unpublished_artists", "/api/private/secret"],
    // Changes by people are logged.
    ["demos", "/api/admin/activity"],
    // A letter says which of its releases are not out.
    ["releases", "/api/admin/letters/a-letter/sending"],
    ["unpublished_releases", "/api/admin/letters/a-letter/sending"],
    ["releases", "/api/admin/letters/preview"],
    ["unpublished_releases", "/api/admin/letters/preview"],
  ])("of %s is one of %s", (table, url) => {
    expect(isReadOf(table, url)).toBe(true);
  });

  it("of drafts is none of what visitors read", () => {
    expect(isReadOf("unpublished_releases", "/api/releases")).toBe(false);
    expect(isReadOf("artists", "/api/media")).toBe(false);
  });
});
