import { fireEvent, screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { anEditableRelease, keepRows, openTab } from "../../../testing/backOffice.ts";
import { holdCall } from "../../../testing/calls.ts";
import { answerBy, page, server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/releases";

function openReleases(...rows: Parameters<typeof anEditableRelease>) {
  const kept = keepRows(PATH, ...rows.map((row) => anEditableRelease(row)));
  answerBy("/api/admin/artist-choices", () => page([]));
  return { kept, ...openTab("releases", { time_zone: "Europe/Berlin" }) };
}

async function edit(app: ReturnType<typeof openReleases>) {
  await app.user.click(await screen.findByRole("button", { name: "Edit Dead Air Protocol" }));
  return within(await screen.findByRole("dialog", { name: "Edit Release" }));
}

describe("when a release is public", () => {
  it("is at once, unless somebody says otherwise", async () => {
    const { kept, user } = openReleases();
    await user.click(await screen.findByRole("button", { name: "Add Release" }));
    const form = within(await screen.findByRole("dialog", { name: "Add New Release" }));
    expect(form.getByRole<HTMLInputElement>("radio", { name: "Now" }).checked).toBe(true);
    await user.type(form.getByLabelText("Title"), "Locked Groove");
    await user.type(form.getByLabelText("Release Date"), "2026-11-20");
    await user.click(form.getByRole("button", { name: "Add Track" }));
    await user.type(form.getByLabelText("Track 1 Name"), "Dead Air");
    await user.type(form.getByLabelText("Track 1 Length"), "6:12");
    await user.click(form.getByRole("radio", { name: "On a date" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findAllByText("Please enter the date and time when it goes out")).not.toEqual(
      [],
    );
    expect(form.getByLabelText("Goes Out")).toBe(document.activeElement);
    expect(
      await form.findByText("The label's time, Europe/Berlin. A date in the past is now."),
    ).toBeTruthy();
    const goesOut = form.getByLabelText<HTMLInputElement>("Goes Out");
    // A longer year, which browsers take and this window refuses.
    goesOut.type = "text";
    fireEvent.change(goesOut, { target: { value: "20991-01-02T18:30" } });
    expect(goesOut.value, "a digit too many does not empty the field").toBe("9999-01-02T18:30");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findAllByText("Please enter a date before the year 9999")).not.toEqual([]);
    goesOut.type = "datetime-local";
    await user.clear(goesOut);
    await user.type(goesOut, "2099-01-02T18:30");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release created successfully")).toBeTruthy();
    expect(kept.sent[0]?.body).toMatchObject({
      publish: "on_date",
      goes_out_at: "2099-01-02T17:30:00.000Z",
      tracks: [{ title: "Dead Air", duration_seconds: 372 }],
    });
  });

  it("can be taken back", async () => {
    const app = openReleases({});
    const form = await edit(app);
    expect(form.queryByText("Private Link")).toBeNull();
    await app.user.click(form.getByRole("button", { name: "Take Back" }));
    expect(form.getByRole<HTMLInputElement>("radio", { name: "Not yet" }).checked).toBe(true);
    expect(document.activeElement, "the focus is not lost with the key").toBe(
      form.getByRole("radio", { name: "Not yet" }),
    );
    expect(form.getByRole("status").textContent).toContain("Saving takes it back");
    await app.user.click(form.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    expect(app.kept.sent[0]?.body).toMatchObject({ publish: "not_yet" });
  });

  it("stands in the list while it is not", async () => {
    openReleases({ state: "scheduled", goes_out_at: "2099-01-02T18:30:00Z" });
    const row = within(await screen.findByRole("article", { name: "Dead Air Protocol" }));
    expect(row.getByText("Scheduled")).toBeTruthy();
    expect(row.getByText(/2099\.01\.0/)).toBeTruthy();
  });

  it.each(["draft", "scheduled"] as const)("is shown to admins while it is a %s", async (state) => {
    const goes_out_at = state === "scheduled" ? "2099-01-02T18:30:00Z" : null;
    const app = openReleases({ state, goes_out_at, slug: null, private_link: "/p/a-link" });
    const page = `/p/${anEditableRelease().id}`;
    const inRow = await screen.findByRole("link", { name: "Preview Dead Air Protocol" });
    const inForm = (await edit(app)).getByRole("link", { name: "Preview" });
    for (const key of [inRow, inForm]) {
      expect([key.getAttribute("href"), key.getAttribute("target")]).toEqual([page, "_blank"]);
    }
  });

  it("needs no preview once it is out", async () => {
    const app = openReleases({});
    await edit(app);
    expect(screen.queryByRole("link", { name: /^Preview/ })).toBeNull();
  });
});

const UNTOUCHED = "You have not changed this: it stays.";

describe("what somebody else has saved of it meanwhile", () => {
  it("is said in the words of the form, and in this place's time", async () => {
    const app = openReleases({});
    const form = await edit(app);
    const goes_out_at = "2099-01-02T18:30:00Z";
    const artist = { id: "019aa000-0000-7000-8000-000000000002", name: "Other Artist" };
    const theirs = { artist, artist_id: artist.id, state: "scheduled", goes_out_at, version: 4 };
    app.kept.rows = app.kept.rows.map((row) => ({ ...row, ...theirs }));
    FakeEventSource.current.say("change", { table: "releases", op: "update", key: "x" }, "8");
    const notice = within(await form.findByRole("region", { name: "Newest version" }));
    expect(notice.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
      "Other Artist",
      UNTOUCHED,
      "On a date",
      UNTOUCHED,
      "2099.01.02 19:30, Europe/Berlin",
      UNTOUCHED,
    ]);
  });

  it.each(["removed", "added"])("keeps the rows of a list as they were %s here", async (way) => {
    const track = (title: string) => ({
      position: null,
      title,
      artist: null,
      duration_seconds: null,
      duration_label: null,
    });
    const app = openReleases({ tracks: ["One", "Two", "Three"].map(track) });
    const form = await edit(app);
    if (way === "removed") {
      await app.user.click(form.getByRole("button", { name: /^Remove track 3/i }));
    } else {
      await app.user.click(form.getByRole("button", { name: "Add Track" }));
      await app.user.type(form.getByLabelText("Track 4 Name"), "Four");
    }
    app.kept.rows = app.kept.rows.map((row) => ({ ...row, format: '12" vinyl', version: 4 }));
    await app.user.click(form.getByRole("button", { name: "Save" }));
    await form.findByRole("region", { name: "Newest version" });
    await app.user.click(form.getByRole("button", { name: "Save Mine Over It" }));
    expect(await screen.findByText("Release updated successfully")).toBeTruthy();
    const sent = app.kept.sent.at(-1)?.body as { tracks: { title: string }[]; format: string };
    const kept = way === "removed" ? ["One", "Two"] : ["One", "Two", "Three", "Four"];
    expect(sent.tracks.map(({ title }) => title)).toEqual(kept);
    expect(sent.format).toBe('12" vinyl');
  });
});

describe("a private link", () => {
  it("is made, renewed and removed", async () => {
    const app = openReleases({ state: "draft", slug: null });
    let made = 0;
    server.use(
      http.post(`*${PATH}/:id/private-link`, () => {
        made += 1;
        return HttpResponse.json({ private_link: `/p/link-${made}` });
      }),
      http.delete(`*${PATH}/:id/private-link`, () => new HttpResponse(null, { status: 204 })),
    );
    const form = await edit(app);
    await app.user.click(form.getByRole("button", { name: "Make Link" }));
    const link = await form.findByLabelText<HTMLInputElement>("Private link");
    expect(link.value).toMatch(/\/p\/link-1$/);
    await app.user.click(form.getByRole("button", { name: "Renew Link" }));
    await form.findByDisplayValue(/link-2$/);
    await app.user.click(form.getByRole("button", { name: "Remove Link" }));
    const make = await form.findByRole("button", { name: "Make Link" });
    expect(document.activeElement).toBe(make);
    expect(form.queryByLabelText("Private link")).toBeNull();
  });

  it("is the newest one, also where somebody else has renewed it meanwhile", async () => {
    const app = openReleases({ state: "draft", slug: null, private_link: "/p/link-1" });
    const form = await edit(app);
    await form.findByDisplayValue(/link-1$/);
    app.kept.rows = app.kept.rows.map((row) => ({ ...row, private_link: "/p/link-2" }));
    FakeEventSource.current.say("change", { table: "releases", op: "update", key: "x" }, "8");
    expect(await form.findByDisplayValue(/link-2$/, {}, { timeout: 2_000 })).toBeTruthy();
  });

  it.each(["renewed without an answer", "renewed elsewhere"])(
    "is read again if %s",
    async (way) => {
      const app = openReleases({ state: "draft", slug: null, private_link: "/p/link-1" });
      const form = await edit(app);
      await form.findByDisplayValue(/link-1$/);
      function renew(): Response {
        app.kept.rows = app.kept.rows.map((row) => ({ ...row, private_link: "/p/link-2" }));
        return HttpResponse.error();
      }
      server.use(http.post(`*${PATH}/:id/private-link`, renew));
      if (way === "renewed elsewhere") {
        renew();
        await app.user.hover(form.getByRole("button", { name: "Copy URL of the private link" }));
      } else await app.user.click(form.getByRole("button", { name: "Renew Link" }));
      expect(await form.findByDisplayValue(/link-2$/)).toBeTruthy();
    },
  );

  it("is said to be dead where it was copied before that was known", async () => {
    const app = openReleases({ state: "draft", slug: null, private_link: "/p/link-1" });
    const form = await edit(app);
    await form.findByDisplayValue(/link-1$/);
    app.kept.rows = app.kept.rows.map((row) => ({ ...row, private_link: "/p/link-2" }));
    const letGo = holdCall("get", `${PATH}/:id`);
    const copy = form.getByRole("button", { name: "Copy URL of the private link" });
    await app.user.click(copy);
    expect(await navigator.clipboard.readText()).toMatch(/link-1$/);
    letGo();
    const warning = await form.findByText("The link you copied no longer works.");
    expect(warning.role).toBe("alert");
    await app.user.click(copy);
    expect(await navigator.clipboard.readText()).toMatch(/link-2$/);
    expect(warning.isConnected).toBe(false);
  });
});
