// An admin's changes of the site's texts, pictures and library without the rules.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import { UPLOAD_TITLES } from "../../rules/generated/refusals.ts";
import { aMediaFile, aSiteImage, keepRows, openTab } from "../backOffice.ts";
import { answerCall, refuseCall } from "../calls.ts";
import { aFile, fill, invalid, REFUSED, says, saysAt, toast } from "./screen.ts";

describe("an admin of the site", () => {
  function aText(key: string, value: string) {
    return {
      id: "019aa000-0000-7000-8000-0000000000e1",
      key,
      value,
      description: null,
      created_at: "2026-11-01T10:00:00Z",
      updated_at: "2026-11-01T10:00:00Z",
      version: 2,
    };
  }

  it("changes the site's texts, each under a name that can be read", async () => {
    const text = aText("hero_main_title", "404");
    const policy = { ...text, id: "p", key: "privacy_policy" };
    answerCall("get", "/api/admin/content", { items: [text, policy], next_cursor: null });
    const { user } = openTab("content");
    const box = await screen.findByRole("textbox", { name: "HERO MAIN TITLE" });
    expect(screen.getByRole("textbox", { name: "PRIVACY POLICY" }).getAttribute("rows")).toBe("20");
    refuseCall("put", "/api/admin/content/hero_main_title", 422, invalid({ value: REFUSED }));
    await fill(user, box, "x");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    await saysAt(box, REFUSED);
    await says("content_update_failed");
    answerCall("put", "/api/admin/content/hero_main_title", { ...text, value: "xy", version: 3 });
    await fill(user, box, "xy");
    await user.click(screen.getByRole("button", { name: "Save Changes" }));
    await says("content_updated");
    await fill(user, screen.getByRole("searchbox"), "hero main");
    await waitFor(() =>
      expect(screen.queryByRole("textbox", { name: "PRIVACY POLICY" })).toBeNull(),
    );
  });

  function showLocalFiles(): void {
    vi.stubGlobal(
      "URL",
      Object.assign(URL, { createObjectURL: () => "blob:a", revokeObjectURL: () => undefined }),
    );
  }

  it("puts a mark on the site", async () => {
    const name = aText("label_name", "");
    answerCall("get", "/api/admin/content", { items: [name], next_cursor: null });
    answerCall("get", "/api/admin/site-images", { items: [], next_cursor: null });
    const { user } = openTab("content");
    const card = within(await screen.findByRole("region", { name: "Mark" }));
    showLocalFiles();
    const mark = new File(["<svg/>"], "mark.svg", { type: "image/svg+xml" });
    await user.upload(card.getByLabelText("Mark file"), mark);
    refuseCall("put", "/api/admin/site-images/label_mark", 422, invalid({ file: REFUSED }));
    await user.click(await card.findByRole("button", { name: "Put On The Site" }));
    await toast(MESSAGES.mark_upload_failed.title, REFUSED);
    answerCall("put", "/api/admin/site-images/label_mark", aSiteImage({ key: "label_mark" }));
    await user.click(card.getByRole("button", { name: "Put On The Site" }));
    await says("mark_uploaded");
  });

  it("puts another background on the site", async () => {
    answerCall("get", "/api/admin/site-images", { items: [aSiteImage()], next_cursor: null });
    const { user } = openTab("media");
    const section = within(await screen.findByRole("region", { name: "Site Images" }));
    await section.findByText("“Grooves”");
    showLocalFiles();
    const picture = new File([new Uint8Array(3_753_000)], "night.png", { type: "image/png" });
    fireEvent.change(screen.getByLabelText("Hero background file"), {
      target: { files: [picture] },
    });
    await fill(user, await screen.findByLabelText("Alternative text"), "Night");
    const tooLarge = "Please select an image smaller than 10MB";
    refuseCall("put", "/api/admin/site-images/hero_background", 413, {
      code: "file_too_large",
      detail: tooLarge,
    });
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await toast(UPLOAD_TITLES.file_too_large ?? "", tooLarge);
    refuseCall(
      "put",
      "/api/admin/site-images/hero_background",
      422,
      invalid({ alt_text: REFUSED }),
    );
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await saysAt(screen.getByLabelText("Alternative text"), REFUSED);
    answerCall("put", "/api/admin/site-images/hero_background", aSiteImage({ alt_text: "Night" }));
    await user.click(section.getByRole("button", { name: "Put On The Site" }));
    await says("hero_uploaded");
  });

  it("fills the library", async () => {
    const kept = keepRows("/api/admin/media", aMediaFile({ file_size: 3_753_000 }));
    const { user } = openTab("media");
    const section = within(await screen.findByRole("region", { name: "General Media" }));
    const file = within(await section.findByRole("article", { name: "flyer.png" }));
    expect(file.getByText("3.6 MB")).toBeTruthy();
    expect(file.getByText("2026.11.01")).toBeTruthy();
    const suspicious = "File contains suspicious content";
    refuseCall("post", "/api/admin/media", 422, {
      ...invalid({ file: suspicious }),
      code: "suspicious_name",
    });
    fireEvent.change(screen.getByLabelText("Media files"), {
      target: { files: [aFile("a.php.png")] },
    });
    await toast(UPLOAD_TITLES.suspicious_name ?? "", suspicious);
    expect(section.getByRole("list", { name: "Uploads" }).textContent).toContain(suspicious);
    answerCall("post", "/api/admin/media", aMediaFile({ id: "b" }), 201);
    fireEvent.change(screen.getByLabelText("Media files"), { target: { files: [aFile("b.png")] } });
    await says("media_uploaded");
    await user.click(section.getByRole("button", { name: "Delete flyer.png" }));
    await toast(MESSAGES.media_deleted.title);
    expect(kept.rows).toEqual([]);
  });
});
