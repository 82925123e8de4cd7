import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { aSiteImage, openTab } from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/site-images";
const PLACE = `${PATH}/hero_background` as const;
const PNG = new File(["picture"], "night.png", { type: "image/png" });

function keep(...images: ReturnType<typeof aSiteImage>[]) {
  const kept = { images };
  server.use(
    http.get(`*${PATH}`, () => HttpResponse.json({ items: kept.images, next_cursor: null })),
  );
  return kept;
}

const THE_DEFAULT = aSiteImage({ id: "default", alt_text: "The default", is_default: true });

/** Answers a delete, after which these are left. */
function leaveOnDelete(kept: ReturnType<typeof keep>, ...left: (typeof kept)["images"]) {
  server.use(
    http.delete(`*${PATH}/:id`, () => {
      kept.images = left;
      return new HttpResponse(null, { status: 204 });
    }),
  );
}

async function open() {
  const app = openTab("media");
  const section = within(await screen.findByRole("region", { name: "Site Images" }));
  return { ...app, section };
}

function choose(file: File) {
  fireEvent.change(screen.getByLabelText("Hero background file"), { target: { files: [file] } });
}

describe("the site images", () => {
  it("are listed with what is known of them, and the background is shown as it stands", async () => {
    keep(aSiteImage());
    const { section } = await open();
    const row = within(await section.findByRole("article", { name: "hero_background" }));
    for (const text of ["Background of the home page", "“Grooves”", "1600 × 1000", "2026.11.01"]) {
      expect(row.getByText(text)).toBeTruthy();
    }
    const shown = section.getByRole("img", { name: "As it stands" });
    expect(shown.getAttribute("src")).toBe("/media/assets/hero-png-small.jpg");
    expect(section.queryByRole("button", { name: /^Edit/ })).toBeNull();
  });

  it("say that they cannot be read, and are read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { section, user } = await open();
    expect(await section.findByText("Failed to fetch images")).toBeTruthy();
    keep(aSiteImage());
    await user.click(section.getByRole("button", { name: "Try Again" }));
    expect(await section.findByRole("article", { name: "hero_background" })).toBeTruthy();
  });

  it("show what another admin changes", async () => {
    const kept = keep(aSiteImage());
    const { section } = await open();
    await section.findByText("“Grooves”");
    kept.images = [aSiteImage({ alt_text: "A cellar" })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "site_images", op: "update", key: "k" }, "7");
    expect(await section.findByText("“A cellar”")).toBeTruthy();
  });

  it("have the default background back when it is deleted, once by a double click", async () => {
    const kept = keep(aSiteImage());
    const deleted: unknown[] = [];
    server.use(
      http.delete(`*${PATH}/:id`, ({ params }) => {
        deleted.push(params.id);
        kept.images = [THE_DEFAULT];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { section, user } = await open();
    await user.dblClick(await section.findByRole("button", { name: "Delete hero_background" }));
    expect(await section.findByText("“The default”")).toBeTruthy();
    expect(section.getByText("The default background is back on the home page.")).toBeTruthy();
    expect(deleted).toEqual([aSiteImage().id]);
    // From the trash, or by another admin.
    kept.images = [aSiteImage({ id: "third", alt_text: "A cellar" })];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "site_images", op: "update", key: "k" }, "7");
    expect(await section.findByText("“A cellar”")).toBeTruthy();
    expect(section.queryByText(/default background is back/)).toBeNull();
  });

  it("have it back too while another picture is chosen, and say so until the next is chosen", async () => {
    const kept = keep(aSiteImage());
    leaveOnDelete(kept, THE_DEFAULT);
    const { section, user } = await open();
    choose(PNG);
    await section.findByRole("button", { name: "Put On The Site" });
    await user.click(section.getByRole("button", { name: "Delete hero_background" }));
    const said = "The default background is back on the home page.";
    expect(await section.findByText(said)).toBeTruthy();
    choose(new File(["day"], "day.png", { type: "image/png" }));
    await section.findByText("day.png");
    expect(section.queryByText(said)).toBeNull();
  });

  it("lead back to their heading after a delete", async () => {
    const kept = keep(aSiteImage());
    leaveOnDelete(kept);
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Delete hero_background" }));
    expect(await section.findByText("No site images yet")).toBeTruthy();
    expect(document.activeElement).toBe(section.getByRole("heading", { name: "Site Images" }));
  });

  it("say that one could not be deleted, and keep it", async () => {
    keep(aSiteImage());
    refuseCall("delete", `${PATH}/${aSiteImage().id}`, 500, { code: "internal" });
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Delete hero_background" }));
    expect(await screen.findAllByText("Failed to delete image")).not.toEqual([]);
    expect(section.getByRole("article", { name: "hero_background" })).toBeTruthy();
    expect(section.queryByText(/default background is back/)).toBeNull();
  });
});

describe("another background", () => {
  it.each([
    [
      "logo.svg",
      "image/svg+xml",
      9,
      "Invalid file type",
      "Please select an image file (JPG, PNG, etc.)",
    ],
    [
      "a.png",
      "image/png",
      10 * 1024 * 1024 + 1,
      "File too large",
      "Please select an image smaller than 10MB",
    ],
  ])("is refused before it travels: %s", async (name, type, size, title, text) => {
    keep(aSiteImage());
    const { section } = await open();
    choose(new File([new Uint8Array(size)], name, { type }));
    expect(await screen.findAllByText(title)).not.toEqual([]);
    expect(screen.getAllByText(text)).not.toEqual([]);
    expect(section.queryByRole("button", { name: "Put On The Site" })).toBeNull();
  });

  it("is looked at first, and then put on the site, once by a double click", async () => {
    const kept = keep(aSiteImage());
    const sent: string[] = [];
    server.use(
      http.put(`*${PLACE}`, async ({ request }) => {
        sent.push(await request.text());
        kept.images = [aSiteImage({ image_url: "/media/assets/night.png", alt_text: "A cellar" })];
        return HttpResponse.json(kept.images[0]);
      }),
    );
    const { section, user } = await open();
    choose(PNG);
    expect(await section.findByRole("img", { name: "As it would be" })).toBeTruthy();
    expect(section.getByText("night.png")).toBeTruthy();
    expect(section.getByText("7 Bytes")).toBeTruthy();
    expect(sent).toEqual([]);
    await user.type(section.getByLabelText("Alternative text"), "A cellar");
    await user.dblClick(section.getByRole("button", { name: "Put On The Site" }));
    expect(await screen.findByText("Upload successful")).toBeTruthy();
    expect(screen.getByText("Hero background uploaded successfully")).toBeTruthy();
    expect(await section.findByText("“A cellar”")).toBeTruthy();
    expect(section.getByRole("img", { name: "As it stands" })).toBeTruthy();
    expect(sent).toHaveLength(1);
    for (const part of ["A cellar", "Background of the home page", "night.png", "picture"]) {
      expect(sent[0]).toContain(part);
    }
  });

  it("stays chosen where it could not be sent", async () => {
    keep(aSiteImage());
    answerCall("put", PLACE, {}, 500);
    const { section, user } = await open();
    choose(PNG);
    await user.click(await section.findByRole("button", { name: "Put On The Site" }));
    expect(await screen.findAllByText("Upload failed")).not.toEqual([]);
    expect(screen.getAllByText("Failed to upload image. Please try again.")).not.toEqual([]);
    expect(await section.findByRole("button", { name: "Put On The Site" })).toBeTruthy();
  });

  it("is refused by its content in the rules' own words and title", async () => {
    keep(aSiteImage());
    const text = "Please select an image file (JPG, PNG, etc.)";
    refuseCall("put", PLACE, 422, { code: "invalid_file_type", fields: { file: text } });
    const { section, user } = await open();
    choose(PNG);
    await user.click(await section.findByRole("button", { name: "Put On The Site" }));
    expect(await screen.findAllByText("Invalid file type")).not.toEqual([]);
    expect(screen.getAllByText(text)).not.toEqual([]);
  });

  it("has what is wrong with its text said beside the text", async () => {
    keep(aSiteImage());
    const fields = { alt_text: "At most 500 characters, in one line." };
    refuseCall("put", PLACE, 422, { code: "invalid_fields", fields });
    const { section, user } = await open();
    choose(PNG);
    await user.click(await section.findByRole("button", { name: "Put On The Site" }));
    expect(await section.findByText(fields.alt_text)).toBeTruthy();
    expect(section.getByLabelText("Alternative text").getAttribute("aria-invalid")).toBe("true");
  });

  it("can be given up on its way, and before", async () => {
    keep(aSiteImage());
    server.use(
      http.put(`*${PLACE}`, async () => {
        await delay("infinite");
        return new HttpResponse();
      }),
    );
    const { section, user } = await open();
    choose(PNG);
    await user.click(await section.findByRole("button", { name: "Put On The Site" }));
    expect(await section.findByRole("progressbar", { name: "Upload of night.png" })).toBeTruthy();
    await user.click(section.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(section.queryByRole("progressbar")).toBeNull());
    expect(section.getByRole("img", { name: "As it stands" })).toBeTruthy();
    expect(screen.queryByText("Upload failed")).toBeNull();
    choose(PNG);
    await user.click(await section.findByRole("button", { name: "Cancel" }));
    const opener = section.getByRole("button", { name: "Upload Hero Background" });
    expect(document.activeElement).toBe(opener);
  });

  it("asks before the tab is left with it", async () => {
    keep(aSiteImage());
    const { section, user } = await open();
    choose(PNG);
    await section.findByRole("button", { name: "Put On The Site" });
    await user.click(screen.getByRole("tab", { name: "Terminal" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Unsaved changes" }));
    expect(question.getByText(/A file is chosen or on its way/)).toBeTruthy();
    await user.click(question.getByRole("button", { name: "Leave Without Saving" }));
    expect(await screen.findByRole("heading", { name: "Terminal" })).toBeTruthy();
  });
});
