import { describe, expect, it, vi } from "vitest";
import { partsOf } from "./LineText.tsx";

const ID = "019aa000-0000-7000-8000-000000000001";

/** The links in a line, as text and target. */
function linksIn(line: string) {
  return partsOf(line).flatMap((part) => ("to" in part ? [[part.text, part.to]] : []));
}

describe("a line of an answer", () => {
  it.each([
    ["/releases", ["/releases"]],
    ["/", ["/"]],
    [`See /artists/${ID}.`, [`/artists/${ID}`]],
    ["Try /releases, /artists or (/store)!", ["/releases", "/artists", "/store"]],
    [
      "/privacy-policy /contact /signup /terminal",
      ["/privacy-policy", "/contact", "/signup", "/terminal"],
    ],
  ])("leads to pages of the site: %s", (line, paths) => {
    expect(linksIn(line)).toEqual(paths.map((path) => [path, path]));
  });

  it.each([
    [`Kesto Vann (/artists/${ID})`, "Kesto Vann", `/artists/${ID}`],
    [
      `Nana O'Shea & the Hum (/artists/${ID})  3 RELEASES`,
      "Nana O'Shea & the Hum",
      `/artists/${ID}`,
    ],
    [`X (/store) (/artists/${ID})`, "X (/store)", `/artists/${ID}`],
    ["Contact (/contact)", "Contact", "/contact"],
    ["Home (/)", "Home", "/"],
    ["  Profile (/profile)", "Profile", "/profile"],
    ["Signal by Mira (/releases/404-001)  RELEASE  404-001", "Signal by Mira", "/releases/404-001"],
    [
      "404-019  2026.10.02  Dead Air / Kesto (/releases/404-019)",
      "Dead Air / Kesto",
      "/releases/404-019",
    ],
    ["DW 7     No Date     Untitled (/releases/dw-7)", "Untitled", "/releases/dw-7"],
    ["         2026.10.02  Untitled (/releases/untitled)", "Untitled", "/releases/untitled"],
    ["2026.10.02  1999.01.01  (/releases/1999)", "1999.01.01 ", "/releases/1999"],
    ["2026.10.02  No Date (/releases/no-date)", "No Date", "/releases/no-date"],
    ["Imprint (/imprint)", "Imprint", "/imprint"],
    ["Letters (/letters)", "Letters", "/letters"],
    ["Autumn news (/letters/autumn-news)", "Autumn news", "/letters/autumn-news"],
  ])("leads to a page by its name: %s", (line, name, path) => {
    expect(linksIn(line)).toEqual([[name, path]]);
  });

  it("opens the dialog that a path names, and no other", () => {
    expect(partsOf("Send a demo (/artists?dialog=demo)")).toEqual([
      { kind: "page", text: "Send a demo", to: "/artists", dialog: "demo" },
    ]);
    expect(partsOf("Log in (/?dialog=login)")).toEqual([
      { kind: "page", text: "Log in", to: "/", dialog: "login" },
    ]);
    expect(partsOf("Send it (/artists?dialog=demo), or log in at /?dialog=login.")).toEqual([
      { kind: "text", text: "Send it (" },
      { kind: "page", text: "/artists?dialog=demo", to: "/artists", dialog: "demo" },
      { kind: "text", text: "), or log in at " },
      { kind: "page", text: "/?dialog=login", to: "/", dialog: "login" },
      { kind: "text", text: "." },
    ]);
    expect(linksIn("Anything (/?dialog=admin)")).toEqual([]);
    expect(linksIn("/?dialog=demos")).toEqual([]);
    expect(linksIn("Press (/admin)")).toEqual([]);
  });

  it.each([
    "and/or",
    "1 / 2",
    "/admin",
    "/api/releases",
    "/artists/../admin",
    "/artists/not-an-id",
    "/releases/extra/more",
    "/releases/../admin",
    "/releasesandmore",
    "//evil.example/releases",
    "evil.example/releases",
    "http://evil.example/releases",
    "javascript:alert(1)",
    "https://",
    "https://label.example@evil.example/",
    "data:text/html,/releases",
  ])("leads nowhere by %s", (line) => {
    expect(linksIn(line)).toEqual([]);
  });

  it.each([
    ["https://open.spotify.com/album/1?si=2", "https://open.spotify.com/album/1?si=2"],
    ["Listen (https://soundcloud.com/a/b).", "https://soundcloud.com/a/b"],
    ['"https://a.example/x", he said', "https://a.example/x"],
  ])("leads away by encrypted addresses: %s", (line, address) => {
    expect(linksIn(line)).toEqual([[address, address]]);
  });

  it("leads away also where the browser has no URL.canParse", () => {
    vi.stubGlobal("URL", Object.assign(class extends URL {}, { canParse: undefined }));
    const links = linksIn("See https://label.example/a");
    vi.unstubAllGlobals();
    expect(links).toEqual([["https://label.example/a", "https://label.example/a"]]);
  });

  it("loses nothing of its text, whatever is found in it", () => {
    for (const line of [
      "",
      "<img src=x onerror=alert(1)>",
      "  /releases  ",
      `a https://a.example/x, b /artists/${ID} c`,
      "404-019  2026.10.02  Dead Air Protocol / Kesto Vann",
      "CATALOG  404-019",
      "https:// https://a.example:99999/",
    ]) {
      expect(
        partsOf(line)
          .map(({ text }) => text)
          .join(""),
      ).toBe(line);
    }
  });

  it.each([
    ["404-019  2026.10.02  Dead Air Protocol / Kesto Vann", ["404-019"]],
    ["DW 7     No Date     Untitled", ["DW 7"]],
    ["DW 7     No Date     Untitled (/releases/dw-7)", ["DW 7"]],
    ["         No Date     Untitled (/releases/untitled)", []],
    ["2026.10.02  Untitled (/releases/untitled)", []],
    ["CATALOG  404-019", ["404-019"]],
    ["CATALOG  N/A", []],
    ["         2026.10.02  Untitled", []],
    ["2026.10.02  Untitled", []],
    ["It came out on 2026.10.02.", []],
  ])("shows the catalogue numbers in '%s'", (line, numbers) => {
    const found = partsOf(line).filter(({ kind }) => kind === "number");
    expect(found.map(({ text }) => text)).toEqual(numbers);
  });

  it.each([
    "Send a demo (/artists?dialog=demo)",
    "Log in (/?dialog=login)",
    "Releases (/releases)",
    "CATALOG  404-019",
  ])("finds the same in '%s' where the answer was kept", (line) => {
    expect(partsOf(`${line} [cached]`)).toEqual([
      ...partsOf(line),
      { kind: "text", text: " [cached]" },
    ]);
  });
});
