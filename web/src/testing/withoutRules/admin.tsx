// An admin's actions without the rules.
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import { UPLOAD_TITLES } from "../../rules/generated/refusals.ts";
import {
  aDemo,
  anEditableArtist,
  anEditableRelease,
  aProduct,
  keepRows,
  openTab,
} from "../backOffice.ts";
import { answerCall, refuseCall, seeAs } from "../calls.ts";
import { aDeskDemo, keepDesk } from "../desk.ts";
import { fakePlayers, onDesk, openDesk, press } from "../deskScreen.tsx";
import { answer } from "../fakeApi.ts";
import { anAdmin, anUnprotectedAdmin, aPendingAdmin } from "../people.ts";
import { aProfile, MFA_OK } from "../profile.ts";
import { renderPath } from "../renderPath.tsx";
import { aFile, fill, invalid, REFUSED, says, saysAt, toast } from "./screen.ts";

describe("an admin", () => {
  it("gets in, or not", async () => {
    refuseCall("post", "/api/auth/sign-in", 401, { code: "invalid_credentials", detail: REFUSED });
    const { user } = renderPath("/admin/login");
    await fill(user, await screen.findByLabelText("Email"), "label@example.org");
    await fill(user, screen.getByLabelText("Password"), "a guess");
    await user.keyboard("{Enter}");
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    answerCall("post", "/api/auth/sign-in", anAdmin());
    await fill(user, screen.getByLabelText("Password"), "a password");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });

  it("gives the second factor", async () => {
    seeAs(aPendingAdmin());
    const { user } = renderPath("/admin/login");
    const field = await screen.findByLabelText("Verification code");
    answerCall("post", "/api/auth/mfa-operations", MFA_OK);
    seeAs(anAdmin({ mfa_verified: true }));
    await fill(user, field, "123456");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });

  it.each([
    {
      tab: "artists",
      row: anEditableArtist({ bio: "x".repeat(151) }),
      name: "Kesto Vann",
      title: "Edit Artist",
      add: "Artist",
      label: "Name",
      field: "name",
      does: "artist",
      list: "artists_load_failed",
    },
    {
      tab: "releases",
      row: anEditableRelease(),
      name: "Dead Air Protocol",
      title: "Edit Release",
      add: "Release",
      label: "Title",
      field: "title",
      does: "release",
      list: "load_failed",
    },
    {
      tab: "store",
      row: aProduct({ description: "A mat" }),
      name: "Slipmat",
      title: "Edit Product",
      add: "Product",
      label: "Title",
      field: "title",
      does: "product",
      list: "products_load_failed",
    },
  ] as const)("edits the $tab", async ({ tab, row, name, title, add, label, field, does }) => {
    const path = tab === "store" ? "/api/admin/products" : `/api/admin/${tab}`;
    const kept = keepRows(path, row);
    const { user } = openTab(tab);
    await user.click(await screen.findByRole("button", { name: `Edit ${name}` }));
    const form = within(await screen.findByRole("dialog", { name: title }));
    const first = form.getByLabelText(label);
    await fill(user, first, "Another");
    kept.refuseNext(422, invalid({ [field]: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(first, REFUSED);
    expect(form.getByRole("list", { name: "What is wrong" }).textContent).toContain(REFUSED);
    kept.refuseNext(500, { code: "internal" });
    await user.click(form.getByRole("button", { name: "Save" }));
    await says(`${does}_update_failed`);
    await user.click(form.getByRole("button", { name: "Save" }));
    await says(`${does}_updated`);
    expect(kept.sent.at(-1)?.body).toMatchObject({ [field]: "Another" });
    expect(kept.sent.at(-1)?.ifMatch).toBe('"3"');
    await user.click(screen.getByRole("button", { name: `Add ${add}` }));
    const blank = within(await screen.findByRole("dialog", { name: `Add New ${add}` }));
    await fill(user, blank.getByLabelText(label), "A new one");
    await user.click(blank.getByRole("button", { name: "Save" }));
    await says(`${does}_created`);
    await user.click(await screen.findByRole("button", { name: "Delete Another" }));
    await says(`${does}_deleted`);
  });

  it("gives a row of the catalogue a picture, and addresses", async () => {
    const kept = keepRows("/api/admin/releases", anEditableRelease());
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Release" }));
    const input = form.getByLabelText("Cover Image file");
    const wrongType = "Please upload a JPEG, PNG, WebP, or GIF image";
    refuseCall("post", "/api/admin/images", 422, {
      ...invalid({ file: wrongType }),
      code: "invalid_file_type",
    });
    fireEvent.change(input, { target: { files: [aFile("cover.txt", "text/plain")] } });
    await toast(UPLOAD_TITLES.invalid_file_type ?? "", wrongType);
    answerCall("post", "/api/admin/images", { url: "/media/releases/a.png" }, 201);
    fireEvent.change(input, { target: { files: [aFile("cover.png")] } });
    await says("release_image_uploaded");
    const address = form.getByLabelText("Spotify URL");
    await fill(user, address, "open.spotify.com/album/one");
    kept.refuseNext(422, invalid({ spotify_url: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(address, REFUSED);
    await fill(user, address, "https://open.spotify.com/album/one");
    await user.click(form.getByRole("button", { name: "Save" }));
    await says("release_updated");
    expect(kept.sent.at(-1)?.body).toMatchObject({
      cover_image_url: "/media/releases/a.png",
      spotify_url: "https://open.spotify.com/album/one",
    });
  });

  it("looks at a table of releases", async () => {
    keepRows("/api/admin/releases", anEditableRelease());
    answer("/api/admin/imports", { items: [], next_cursor: null });
    answerCall("post", "/api/admin/imports/preview", {
      file_name: "catalogue.csv",
      columns: [{ header: "Title", field: "title", samples: ["Signal"] }],
      fields: ["title"],
      counts: {
        add: 1,
        change: 0,
        unchanged: 0,
        asks_for_day: 0,
        left_out: 0,
        refused: 0,
        new_artists: 0,
      },
      rows: [
        {
          line: 2,
          verdict: "add",
          title: "Signal",
          artist: null,
          artist_is_new: false,
          catalog: null,
          release_date: "2026-01-01",
          repeats_number: false,
          problems: {},
        },
      ],
      refusal: null,
    });
    const { user } = openTab("releases");
    await user.click(await screen.findByRole("button", { name: "Import" }));
    await user.upload(
      await screen.findByLabelText<HTMLInputElement>("CSV or TSV file"),
      aFile("catalogue.csv"),
    );
    expect(await screen.findByRole("button", { name: "Import 1 release" })).toBeTruthy();
  });

  it("prices a product by what has one reading, and leaves the rest to the server", async () => {
    const kept = keepRows("/api/admin/products", aProduct());
    const { user } = openTab("store");
    await user.click(await screen.findByRole("button", { name: "Edit Slipmat" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Product" }));
    await fill(user, form.getByLabelText("Price"), "1.234");
    kept.refuseNext(422, invalid({ price: REFUSED }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await saysAt(form.getByLabelText("Price"), REFUSED);
    expect(kept.sent.at(-1)?.body).toMatchObject({ price: null });
    await fill(user, form.getByLabelText("Price"), "24,90");
    await user.click(form.getByRole("button", { name: "Save" }));
    await says("product_updated");
    expect(kept.sent.at(-1)?.body).toMatchObject({ price: 24.9 });
    const active = await screen.findByRole("switch", { name: "Active: Slipmat" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(active);
    await says("product_status_failed");
    await user.click(active);
    await says("product_deactivated");
  });

  it("hears what was sent in", async () => {
    keepRows("/api/admin/demos", aDemo());
    const { user } = openTab("media");
    const row = within(await screen.findByRole("row", { name: /Rhythm Sound/ }));
    expect(row.getByText("3.6 MB")).toBeTruthy();
    expect(row.getByText(/^2026\.11\.01 \d\d:\d\d$/)).toBeTruthy();
    await user.click(row.getByRole("button", { name: "Play Rhythm Sound" }));
    await user.click(row.getByRole("button", { name: "Delete Rhythm Sound" }));
    await waitFor(() => expect(screen.queryByRole("row", { name: /Rhythm Sound/ })).toBeNull());
  });

  it("answers a demo at the desk", async () => {
    fakePlayers();
    const demo = aDeskDemo({ state: "shortlisted" });
    const kept = keepDesk(demo);
    const { user } = await openDesk();
    await onDesk(demo.artist_name);
    press("r");
    const letter = within(await screen.findByRole("form", { name: "Answer" }));
    const subject = await letter.findByLabelText("Subject");
    await fill(user, subject, " ");
    const path = `/api/admin/desk/demos/${demo.id}/answers` as const;
    refuseCall("post", path, 422, invalid({ subject: REFUSED }), { once: true });
    await user.click(letter.getByRole("button", { name: /^Send/ }));
    await saysAt(subject, REFUSED);
    await fill(user, subject, "Your music");
    await user.click(letter.getByRole("button", { name: /^Send/ }));
    expect(await screen.findByText("Shortlisted, Rhythm & Sound is answered")).toBeTruthy();
    expect(kept.sent.at(-1)?.body).toMatchObject({ kind: "shortlisted", subject: "Your music" });
  });

  it("changes the letters that answers begin with", async () => {
    const kept = keepDesk();
    const { user } = await openDesk();
    await user.click(screen.getByRole("button", { name: "Letters" }));
    const letter = within(await screen.findByRole("form", { name: "Declined" }));
    const text = letter.getByLabelText("Text");
    await fill(user, text, "Dear {nobody}");
    const path = "/api/admin/desk/templates/declined";
    refuseCall("put", path, 422, invalid({ text: REFUSED }), { once: true });
    await user.click(letter.getByRole("button", { name: "Save Changes" }));
    await saysAt(text, REFUSED);
    await fill(user, text, "Dear {artist}, not this time.");
    await user.click(letter.getByRole("button", { name: "Save Changes" }));
    await waitFor(() =>
      expect(kept.templates[2]).toMatchObject({ text: "Dear {artist}, not this time." }),
    );
  });

  it("counts sign-ups", async () => {
    const event = { event: "signup_success", timestamp: Date.now(), data: { attempts: 2 } };
    localStorage.setItem("deadwax.signup-events", JSON.stringify([event]));
    openTab("analytics");
    expect(await screen.findByRole("heading", { name: "Sign-up Analytics" })).toBeTruthy();
    expect(screen.getByText("attempt 2")).toBeTruthy();
  });

  it("closes a page to the public, and opens it", async () => {
    const { user } = openTab("terminal");
    const toggle = await screen.findByRole<HTMLInputElement>("switch", {
      name: /Maintenance Mode/,
    });
    await waitFor(() => expect(toggle.disabled).toBe(false));
    refuseCall("patch", "/api/admin/maintenance/terminal", 500, { code: "internal" });
    await user.click(toggle);
    await says("maintenance_failed", "terminal");
    const setting = { page_key: "terminal", maintenance_message: null };
    answerCall("patch", "/api/admin/maintenance/terminal", {
      ...setting,
      is_maintenance_mode: true,
    });
    await user.click(toggle);
    await toast(MESSAGES.maintenance_enabled.title);
  });

  it("sees how the label's defences stand", async () => {
    answerCall("get", "/api/profile", aProfile());
    const entry = {
      id: "login_limits",
      name: "Login limits",
      description: "About.",
      status: "pass",
      details: "Found.",
    };
    answerCall("get", "/api/admin/security/checklist", { items: [entry] });
    openTab("security");
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
    expect(await screen.findByRole("listitem", { name: "Login limits" })).toBeTruthy();
  });

  it("sets up the second factor where the label asks for it", async () => {
    seeAs(anUnprotectedAdmin());
    answerCall("get", "/api/profile", aProfile());
    renderPath("/admin");
    expect(await screen.findByRole("button", { name: "Enable MFA" })).toBeTruthy();
  });
});
