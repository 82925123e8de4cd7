import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { describe, expect, it, vi } from "vitest";
import { aMediaFile, keepRows, openTab } from "../../../testing/backOffice.ts";
import { breakCall, holdCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/media";
const keep = (...rows: ReturnType<typeof aMediaFile>[]) => keepRows(PATH, ...rows);
const another = aMediaFile({ id: "b", original_name: "cover.jpg" });

async function open() {
  const app = openTab("media");
  const section = within(await screen.findByRole("region", { name: "General Media" }));
  return { ...app, section };
}

function choose(...files: File[]) {
  fireEvent.change(screen.getByLabelText("Media files"), { target: { files } });
}

const png = (name: string) => new File(["x"], name, { type: "image/png" });

describe("the library", () => {
  it("counts its files and shows name, size, type and date", async () => {
    keep(
      aMediaFile(),
      aMediaFile({
        id: "v",
        original_name: "teaser.webm",
        file_type: "video",
        mime_type: "video/webm",
        url: "/media/uploads/teaser.webm",
        small_url: null,
      }),
    );
    const { section } = await open();
    expect(await section.findByRole("heading", { name: "General Media (2)" })).toBeTruthy();
    const flyer = within(section.getByRole("article", { name: "flyer.png" }));
    for (const text of ["1.46 KB", "image/png", "2026.11.01"]) {
      expect(flyer.getByText(text)).toBeTruthy();
    }
    const teaser = section.getByRole("article", { name: "teaser.webm" });
    const still = teaser.querySelector("video");
    expect(still?.getAttribute("preload")).toBe("metadata");
    expect(still?.getAttribute("src")).toBe("/media/uploads/teaser.webm#t=0.001");
    const way = within(teaser).getByRole("link", { name: "Open teaser.webm" });
    expect(way.getAttribute("href")).toBe("/media/uploads/teaser.webm");
    expect(way.getAttribute("target")).toBe("_blank");
  });

  it("says when it is empty, and when a search finds nothing", async () => {
    const kept = keep();
    const { section, user } = await open();
    expect(await section.findByText("No media files yet")).toBeTruthy();
    await user.type(section.getByRole("searchbox", { name: "Search file names" }), "poster");
    expect(await section.findByText("Nothing found for “poster”")).toBeTruthy();
    expect(kept.searches).toContain("poster");
  });

  it("says that it cannot be read, and is read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { section, user } = await open();
    expect(await section.findByText("Failed to load media files")).toBeTruthy();
    keep(aMediaFile());
    await user.click(section.getByRole("button", { name: "Try Again" }));
    expect(await section.findByRole("article", { name: "flyer.png" })).toBeTruthy();
  });

  it("shows what another admin adds", async () => {
    const kept = keep(aMediaFile());
    const { section } = await open();
    await section.findByRole("article", { name: "flyer.png" });
    kept.rows = [another, ...kept.rows];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "media_files", op: "insert", key: "b" }, "7");
    expect(await section.findByRole("article", { name: "cover.jpg" })).toBeTruthy();
  });

  it("goes on by a key, for there is more below it", async () => {
    server.use(
      http.get(`*${PATH}`, ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        return HttpResponse.json({
          items: [cursor ? another : aMediaFile()],
          next_cursor: cursor ? null : "next",
          total: 2,
        });
      }),
    );
    const { section, user } = await open();
    expect(await section.findByText("There are more: 1 of 2 shown")).toBeTruthy();
    await user.click(section.getByRole("button", { name: "Load more of General Media" }));
    expect(await section.findByRole("article", { name: "cover.jpg" })).toBeTruthy();
    expect(section.getByText("All 2 shown")).toBeTruthy();
  });

  it("is a way from the head of the tab, as the other sections are", async () => {
    keep();
    const { user, section } = await open();
    const ways = within(screen.getByRole("navigation", { name: "Sections of Media" }));
    await user.click(ways.getByRole("button", { name: "General Media" }));
    expect(document.activeElement).toBe(section.getByRole("heading", { level: 2 }));
    expect(ways.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Site Images",
      "General Media",
      "Demo Submissions",
    ]);
  });
});

describe("the address of a file", () => {
  it("is copied in full", async () => {
    keep(aMediaFile());
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Copy URL of flyer.png" }));
    expect(await screen.findByText("URL copied to clipboard")).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(
      "http://localhost:3000/media/uploads/1795000000000-aa.png",
    );
  });

  it("stands there to be copied by hand where the browser refuses", async () => {
    keep(aMediaFile());
    const { section, user } = await open();
    const key = await section.findByRole("button", { name: "Copy URL of flyer.png" });
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("refused"));
    await user.click(key);
    const field = await section.findByRole<HTMLInputElement>("textbox", {
      name: "URL of flyer.png",
    });
    expect(section.getByText(/did not let this page copy/)).toBeTruthy();
    expect(field.value).toBe("http://localhost:3000/media/uploads/1795000000000-aa.png");
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
    expect(screen.queryByText("URL copied to clipboard")).toBeNull();
  });
});

describe("deleting a file", () => {
  it("happens without a question, once by a double click", async () => {
    const kept = keep(aMediaFile(), another);
    const { section, user } = await open();
    await user.dblClick(await section.findByRole("button", { name: "Delete flyer.png" }));
    expect(await screen.findByText("Media file deleted")).toBeTruthy();
    expect(kept.sent.map(({ call }) => call)).toEqual(["DELETE"]);
    expect(section.queryByRole("article", { name: "flyer.png" })).toBeNull();
    expect(section.getByRole("article", { name: "cover.jpg" })).toBeTruthy();
  });

  it("says of several together where they were shown", async () => {
    const records = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => {
      return { kind: "release", id: `r${id}`, name: `No ${id}` } as const;
    });
    keep(
      aMediaFile({ uses: records }),
      { ...another, uses: [...records.slice(0, 1), { kind: "artist", id: "a", name: "Nova" }] },
      aMediaFile({ id: "c", original_name: "third.png" }),
    );
    server.use(
      http.post<never, { ids: string[] }>("*/api/admin/trash", async ({ request }) => {
        const { ids } = await request.json();
        return HttpResponse.json({ ids });
      }),
    );
    const { section, user } = await open();
    await user.click(await section.findByRole("checkbox", { name: "Choose flyer.png" }));
    await user.click(section.getByRole("checkbox", { name: "Choose cover.jpg" }));
    await user.click(section.getByRole("button", { name: "MOVE 2 TO TRASH" }));
    const names = records.map(({ name }) => `release ${name}`).join(", ");
    const text = `2 files, until now shown by ${names} and 1 more.`;
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("says where those were shown that were moved, and nothing of the others", async () => {
    const uses = [{ kind: "release", id: "r1", name: "No 1" } as const];
    keep(aMediaFile({ uses: [{ kind: "artist", id: "a", name: "Nova" }] }), { ...another, uses });
    server.use(http.post("*/api/admin/trash", () => HttpResponse.json({ ids: [another.id] })));
    const { section, user } = await open();
    await user.click(await section.findByRole("checkbox", { name: "Choose flyer.png" }));
    await user.click(section.getByRole("checkbox", { name: "Choose cover.jpg" }));
    await user.click(section.getByRole("button", { name: "MOVE 2 TO TRASH" }));
    expect(await screen.findByText("1 file, until now shown by release No 1.")).toBeTruthy();
  });

  it("leads on to the next file, and to the heading when nothing is left", async () => {
    keep(aMediaFile(), another);
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Delete flyer.png" }));
    await section.findByRole("heading", { name: "General Media (1)" });
    expect(document.activeElement).toBe(section.getByRole("article", { name: "cover.jpg" }));
    section.getByRole("button", { name: "Delete cover.jpg" }).focus();
    await user.keyboard("{Enter}");
    const heading = await section.findByRole("heading", { name: "General Media (0)" });
    expect(document.activeElement).toBe(heading);
  });

  it("takes a press that follows at the same place for one that meant the file before", async () => {
    const kept = keep(aMediaFile(), another);
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Delete flyer.png" }));
    await section.findByRole("heading", { name: "General Media (1)" });
    const next = section.getByRole("button", { name: "Delete cover.jpg" });
    await user.click(next);
    expect(kept.sent).toHaveLength(1);
    await user.pointer([
      { keys: "[MouseLeft]", target: next, coords: { clientX: 40, clientY: 9 } },
    ]);
    await section.findByRole("heading", { name: "General Media (0)" });
    expect(kept.sent).toHaveLength(2);
  });

  it("keeps the file where it fails", async () => {
    const kept = keep(aMediaFile());
    const { section, user } = await open();
    const key = await section.findByRole("button", { name: "Delete flyer.png" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(key);
    expect(await screen.findAllByText("Failed to delete media file")).not.toEqual([]);
    expect(section.getByRole("article", { name: "flyer.png" })).toBeTruthy();
  });
});

/** Accepts uploads one by one, each when it is released. */
function takeUploads(kept: ReturnType<typeof keep>) {
  const names: string[] = [];
  const letGo: (() => void)[] = [];
  server.use(
    http.post(`*${PATH}`, async ({ request }) => {
      const name = /filename="([^"]*)"/.exec(await request.text())?.[1] ?? "";
      names.push(name);
      await new Promise<void>((go) => letGo.push(go));
      const row = aMediaFile({ id: name, original_name: name });
      kept.rows = [row, ...kept.rows];
      return HttpResponse.json(row, { status: 201 });
    }),
  );
  return { names, letNextGo: () => letGo.shift()?.() };
}

describe("uploading", () => {
  it("sends several files one after the other", async () => {
    const taken = takeUploads(keep());
    const { section } = await open();
    choose(png("one.png"), png("two.png"));
    const list = within(await section.findByRole("list", { name: "Uploads" }));
    expect(await list.findByRole("progressbar", { name: "Upload of one.png" })).toBeTruthy();
    expect(await list.findByText("Waiting...")).toBeTruthy();
    await waitFor(() => expect(taken.names).toEqual(["one.png"]));
    taken.letNextGo();
    expect(await section.findByRole("article", { name: "one.png" })).toBeTruthy();
    expect(await screen.findByText("File uploaded successfully")).toBeTruthy();
    await waitFor(() => expect(taken.names).toEqual(["one.png", "two.png"]));
    taken.letNextGo();
    expect(await section.findByRole("article", { name: "two.png" })).toBeTruthy();
    expect(section.queryByRole("list", { name: "Uploads" })).toBeNull();
  });

  it.each([
    [
      "setup.exe",
      "application/x-msdownload",
      1,
      "Security error",
      "File contains suspicious content",
    ],
    ["label.com-flyer.png", "image/png", 1, "Security error", "File contains suspicious content"],
    [
      "notes.pdf",
      "application/pdf",
      1,
      "Invalid file type",
      "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)",
    ],
    [
      "big.mp4",
      "video/mp4",
      50 * 1024 * 1024 + 1,
      "File too large",
      "Please upload files smaller than 50MB",
    ],
  ])(
    "refuses %s before it travels, and says why until that is dismissed",
    async (name, type, size, title, text) => {
      const taken = takeUploads(keep());
      const { section, user } = await open();
      choose(new File([new Uint8Array(size)], name, { type }));
      expect(await screen.findAllByText(title)).not.toEqual([]);
      const list = within(await section.findByRole("list", { name: "Uploads" }));
      expect(list.getByText(text)).toBeTruthy();
      expect(list.queryByRole("button", { name: /^Try Again/ })).toBeNull();
      await user.click(list.getByRole("button", { name: `Dismiss: ${name}` }));
      expect(section.queryByRole("list", { name: "Uploads" })).toBeNull();
      expect(document.activeElement).toBe(section.getByRole("button", { name: "Upload Files" }));
      expect(taken.names).toEqual([]);
    },
  );

  it("goes on past a file that could not be sent, which can be tried again", async () => {
    const kept = keep();
    let tries = 0;
    server.use(
      http.post(`*${PATH}`, () => {
        tries += 1;
        if (tries === 1) return HttpResponse.json({ code: "internal" }, { status: 500 });
        const row = aMediaFile({ id: `n${tries}`, original_name: `taken-${tries}.png` });
        kept.rows = [row, ...kept.rows];
        return HttpResponse.json(row, { status: 201 });
      }),
    );
    const { section, user } = await open();
    choose(png("one.png"), png("two.png"));
    expect(await screen.findAllByText("Upload failed")).not.toEqual([]);
    expect(await section.findByText("Failed to upload file")).toBeTruthy();
    expect(await section.findByRole("article", { name: "taken-2.png" })).toBeTruthy();
    const letGo = holdCall("post", PATH);
    await user.click(section.getByRole("button", { name: "Try Again: one.png" }));
    expect(document.activeElement?.textContent).toMatch(/^one\.png/);
    letGo();
    expect(await section.findByRole("article", { name: "taken-3.png" })).toBeTruthy();
  });

  it("says of a file that was moved since that it is to be chosen again", async () => {
    keep();
    breakCall("post", PATH);
    const { section } = await open();
    choose(Object.assign(png("one.png"), { slice: null }));
    const moved = "The file has changed or moved since it was chosen. Choose it again.";
    expect(await section.findByText(moved)).toBeTruthy();
    expect(section.queryByRole("button", { name: /^Try Again/ })).toBeNull();
  });

  it("takes the server's word for what a file holds", async () => {
    keep();
    const text =
      "File type or extension not allowed. Upload images (JPEG, PNG, GIF, WebP) or videos (MP4, WebM, OGG)";
    refuseCall("post", PATH, 422, { code: "invalid_file_type", fields: { file: text } });
    const { section } = await open();
    choose(png("really-a.png"));
    expect(await screen.findAllByText("Invalid file type")).not.toEqual([]);
    expect(await section.findByText(text)).toBeTruthy();
    expect(section.queryByRole("button", { name: /^Try Again/ })).toBeNull();
  });

  it("says when there is no room", async () => {
    keep();
    const detail = "There is no room left right now. Please try again later.";
    refuseCall("post", PATH, 503, { code: "storage_full", detail });
    const { section } = await open();
    choose(png("one.png"));
    expect(await section.findByText(detail)).toBeTruthy();
  });

  it("can be cancelled, and the next file goes", async () => {
    const taken = takeUploads(keep());
    const { section, user } = await open();
    choose(png("one.png"), png("two.png"));
    await waitFor(() => expect(taken.names).toEqual(["one.png"]));
    await user.click(await section.findByRole("button", { name: "Cancel: one.png" }));
    await waitFor(() => expect(taken.names).toEqual(["one.png", "two.png"]));
    expect(section.queryByText("one.png")).toBeNull();
    await user.click(await section.findByRole("button", { name: "Cancel: two.png" }));
    expect(section.queryByRole("list", { name: "Uploads" })).toBeNull();
    expect(screen.queryByText("Upload failed")).toBeNull();
  });

  it("takes what is dropped on its plate, and no folder", async () => {
    const taken = takeUploads(keep());
    const { section } = await open();
    const plate = section.getByText(/Or drop files here/);
    const drop = (dataTransfer: object) => fireEvent.drop(plate, { dataTransfer });
    drop({
      types: ["Files"],
      items: [{ webkitGetAsEntry: () => ({ isDirectory: true }) }],
      files: [],
    });
    expect(await section.findByText(/A folder cannot be uploaded/)).toBeTruthy();
    drop({ types: ["Files"], items: [{}], files: [png("dropped.png")] });
    await waitFor(() => expect(taken.names).toEqual(["dropped.png"]));
    expect(section.queryByText(/A folder cannot be uploaded/)).toBeNull();
    fireEvent.drop(document.body, {
      dataTransfer: { types: ["Files"], items: [{}], files: [png("beside.png")] },
    });
    await delay(50);
    expect(section.queryByText("beside.png")).toBeNull();
  });

  it("is asked about before the tab is left", async () => {
    takeUploads(keep());
    const { section, user } = await open();
    choose(png("one.png"));
    await section.findByRole("progressbar");
    await user.click(screen.getByRole("tab", { name: "Store" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    await user.click(question.getByRole("button", { name: "Keep Editing" }));
    expect(await section.findByRole("progressbar")).toBeTruthy();
  });
});
