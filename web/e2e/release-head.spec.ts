// The head of a release as it is served, without running scripts, for search engines and for previews of shared addresses.
import Validator from "@adobe/structured-data-validator";
import ts from "typescript";
import { makeAdmin, signIn } from "./accounts/person.ts";
import { makePng } from "./png.ts";
import { expect, test } from "./test.ts";

const LABEL_WORDS = /404 COLLECTIVE$/;

/** The head of a page, as served. */
class Head {
  private readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  private tags(tag: string): Record<string, string>[] {
    return [...this.html.matchAll(new RegExp(`<${tag}\\s([^>]*?)/?>`, "g"))].map(([, inner]) =>
      Object.fromEntries(
        [...(inner ?? "").matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [
          name,
          (value ?? "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
        ]),
      ),
    );
  }

  /** The contents of the meta tags with that property or name. */
  meta(name: string): (string | undefined)[] {
    const lines = this.tags("meta").filter((tag) => tag.property === name || tag.name === name);
    return lines.map(({ content }) => content);
  }

  /** Where the links of a relation, and of a type if one is named, lead. */
  links(rel: string, type?: string): (string | undefined)[] {
    const links = this.tags("link").filter((tag) => tag.rel === rel);
    return links.filter((tag) => type === undefined || tag.type === type).map(({ href }) => href);
  }

  /** Everything that is said in JSON-LD. */
  structuredData(): { "@graph": Record<string, unknown>[] } {
    const scripts = this.html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
    const [only, ...more] = [...scripts].map(([, json]) => JSON.parse(json ?? ""));
    expect(more).toEqual([]);
    return only;
  }
}

async function headOf(answer: { text(): Promise<string> }): Promise<Head> {
  const [html = ""] = (await answer.text()).split("</head>");
  return new Head(html);
}

/** A megabyte of types, read once. */
const vocabulary = new Map<string, ts.SourceFile>();

/** The type errors of a document against schema.org's vocabulary: unknown kinds and properties, and values of another kind. */
function againstVocabulary(document: object): string[] {
  const file = `${import.meta.dirname}/structured-data.ts`;
  const source = `import type { Graph } from "schema-dts";\nexport const page: Graph = ${JSON.stringify(document)};\n`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ["lib.es2022.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return ts.createSourceFile(name, source, rest[0]);
    const found = vocabulary.get(name) ?? read(name, ...rest);
    if (found) vocabulary.set(name, found);
    return found;
  };
  const program = ts.createProgram([file], options, host);
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** What Google's rules for rich results say against it. */
async function againstGoogle(things: readonly Record<string, unknown>[]): Promise<unknown[]> {
  const jsonld: Record<string, unknown[]> = {};
  for (const thing of things) {
    const kind = String(thing["@type"]);
    jsonld[kind] = [...(jsonld[kind] ?? []), thing];
  }
  return new Validator().validate({ jsonld, microdata: {}, rdfa: {} });
}

test("the checks of structured data find what is wrong", async () => {
  const context = { "@context": "https://schema.org" } as const;
  const album = { "@type": "MusicAlbum", name: "Signal" };
  expect(againstVocabulary({ ...context, "@graph": [album] })).toEqual([]);
  for (const wrong of [
    { ...album, tracklist: 1 },
    { ...album, "@type": "Album" },
  ]) {
    expect(againstVocabulary({ ...context, "@graph": [wrong] })).not.toEqual([]);
  }
  const item = { "@type": "ListItem", position: 1, name: "Home" };
  const way = { "@type": "BreadcrumbList", itemListElement: [item, { ...item, position: 2 }] };
  expect(await againstGoogle([way])).not.toEqual([]);
});

for (const known of ["everything", "little"] as const) {
  test(`a release of which ${known} is known is shown right by search engines and in messages`, async ({
    page,
    site,
  }) => {
    await signIn(page, makeAdmin(site));
    const send = async (path: string, data: object) => {
      const answer = await page.request.post(path, { data });
      await expect(answer, await answer.text()).toBeOK();
      return answer.json();
    };
    let form: object = { title: `Bare "& <i>`, release_date: "2031-01-02" };
    if (known === "everything") {
      const artist = await send("/api/admin/artists", { name: `Ruh & "Søn"` });
      const cover = await page.request.post("/api/admin/images?folder=releases", {
        multipart: { file: { name: "c.png", mimeType: "image/png", buffer: makePng(900, 700) } },
      });
      form = {
        title: "Signal / Noise",
        artist_id: artist.id,
        catalog: "HEAD-001",
        release_date: "2031-02-03",
        description: "Slow & low.\nTwice.",
        cover_image_url: (await cover.json()).url,
        spotify_url: "https://open.spotify.com/album/1DFixLWuPkv3KT3TnV35m3",
        bandcamp_url: "https://x.bandcamp.com/album/s",
        format: '12"',
        tracks: [
          { title: "One", duration_seconds: 372 },
          { title: "Two", artist: "Ava", duration_seconds: 3723 },
          { title: "Three" },
        ],
        credits: [{ role: "Mastering", name: "Ada" }],
      };
    }
    const { slug, cover_image_url } = await send("/api/admin/releases", form);
    const address = `${site.url}/releases/${slug}`;
    const answer = await page.request.get(address);
    expect(answer.status()).toBe(200);
    const head = await headOf(answer);

    const data = head.structuredData();
    expect(againstVocabulary(data)).toEqual([]);
    expect(await againstGoogle(data["@graph"])).toEqual([]);
    const [album, way] = data["@graph"];
    expect([album?.["@type"], way?.["@type"]]).toEqual(["MusicAlbum", "BreadcrumbList"]);
    expect(album?.numTracks).toBe(known === "everything" ? 3 : undefined);

    expect(head.links("canonical")).toEqual([address]);
    expect(head.meta("og:url")).toEqual([address]);
    expect(head.meta("og:type")).toEqual(["music.album"]);
    expect(head.meta("og:title")[0]).toMatch(LABEL_WORDS);
    expect(head.meta("og:description")[0]).toBe(head.meta("description")[0]);
    expect(head.meta("robots")).toEqual([]);
    const pictures = head.meta("og:image");
    if (known === "little") {
      expect(pictures).toEqual([]);
      expect(head.meta("twitter:card")).toEqual(["summary"]);
      expect(head.meta("music:musician")).toEqual([]);
    } else {
      expect(pictures).toEqual([`${site.url}${cover_image_url}`]);
      expect(head.meta("og:image:width")).toEqual(["900"]);
      expect(head.meta("og:image:height")).toEqual(["700"]);
      expect(head.meta("og:image:alt")).toEqual(["Artwork of Signal / Noise"]);
      expect((await page.request.get(pictures[0] ?? "")).headers()["content-type"]).toBe(
        "image/png",
      );
      expect(head.meta("twitter:card")).toEqual(["summary_large_image"]);
      expect(head.meta("music:release_date")).toEqual(["2031-02-03"]);
      const [musician = ""] = head.meta("music:musician");
      const artist = await headOf(await page.request.get(musician));
      expect(artist.links("canonical")).toEqual([musician]);
    }

    const [oembed = ""] = head.links("alternate", "application/json+oembed");
    const shown = await (await page.request.get(oembed)).json();
    expect(shown).toMatchObject({ version: "1.0", type: "link", provider_name: "404 COLLECTIVE" });
    if (known === "everything") {
      expect(shown).toMatchObject({ author_name: `Ruh & "Søn"`, thumbnail_width: 900 });
      const thumbnail = await page.request.get(shown.thumbnail_url);
      const bytes = await thumbnail.body();
      // A PNG says its measures in its first chunk.
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([900, 700]);
    }
  });
}
