import { fireEvent, screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it } from "vitest";
import { aDemo, keepRows, openTab } from "../../../testing/backOffice.ts";
import { answerCall, refuseCall } from "../../../testing/calls.ts";
import { fakePlayers, players } from "../../../testing/deskScreen.tsx";
import { server } from "../../../testing/fakeApi.ts";
import { FakeEventSource } from "../../../testing/fakeEventSource.ts";

const PATH = "/api/admin/demos";
const keep = (...rows: ReturnType<typeof aDemo>[]) => keepRows(PATH, ...rows);
const another = aDemo({
  id: "b",
  artist_label: "Zoë",
  artist_name: "Zoë",
  email: "zoe@example.org",
});
const archive = aDemo({ id: "z", artist_label: "Packed", content_type: "application/zip" });

async function open() {
  const app = openTab("media");
  const section = within(await screen.findByRole("region", { name: "Demo Submissions" }));
  return { ...app, section };
}

beforeEach(fakePlayers);

describe("the demo submissions", () => {
  it("are deleted together in the words of one, for no list of the trash has them", async () => {
    keep(aDemo(), another);
    const moved = answerCall("post", "/api/admin/trash", { ids: [aDemo().id, another.id] });
    const { section, user } = await open();
    await user.click(await section.findByRole("checkbox", { name: /^Choose all loaded/ }));
    expect(section.queryByRole("button", { name: /TO TRASH/ })).toBeNull();
    await user.click(section.getByRole("button", { name: "DELETE 2" }));
    expect(await screen.findByText("Demo deleted")).toBeTruthy();
    expect(screen.getByText("It can be brought back for a minute.")).toBeTruthy();
    expect(moved).toHaveLength(1);
  });

  it("are a table that says who sent what, and when", async () => {
    keep(aDemo());
    const { section } = await open();
    expect(await section.findByRole("heading", { name: "Demo Submissions (1)" })).toBeTruthy();
    const heads = section.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(heads).toEqual(["Artist", "File Name", "Size", "Submitted", "Actions"]);
    const cells = section.getAllByRole("cell").map(({ textContent }) => textContent);
    expect(cells[0]).toBe("Rhythm SoundRhythm & Soundmoritz@example.orgTwo takes.");
    expect(cells[1]).toBe("1795000000000_0badcafe_Rhythm_Sound.mp3mix (final).mp3");
    expect(cells[2]).toBe("3.58 MB");
    expect(cells[3]).toContain("2026.11.01");
    const mail = section.getByRole("link", { name: "moritz@example.org" });
    expect(mail.getAttribute("href")).toBe("mailto:moritz@example.org");
    const download = section.getByRole("link", { name: "Download Rhythm Sound" });
    expect(download.getAttribute("href")).toBe(`${PATH}/${aDemo().id}/file`);
    expect(download.hasAttribute("download")).toBe(true);
  });

  it("stay a table where they are laid out as boxes", async () => {
    keep(aDemo());
    const { section } = await open();
    const table = await section.findByRole("table");
    const parts = [...table.querySelectorAll("thead, tbody, tr, th, td"), table];
    expect(parts.filter((part) => !part.hasAttribute("role"))).toEqual([]);
    expect(section.getAllByRole("columnheader")).toHaveLength(5);
    expect(section.getAllByRole("cell")).toHaveLength(5);
  });

  it("cut a long message, and show it whole on demand", async () => {
    keep(aDemo({ message: "long ".repeat(100) }));
    const { section, user } = await open();
    const key = await section.findByRole("button", { name: "Whole message" });
    expect(key.getAttribute("aria-expanded")).toBe("false");
    await user.click(key);
    expect(key.getAttribute("aria-expanded")).toBe("true");
  });

  it("say when there are none, and when a search finds none", async () => {
    const kept = keep();
    const { section, user } = await open();
    expect(await section.findByText("No demo submissions yet")).toBeTruthy();
    await user.type(section.getByRole("searchbox", { name: "Search demos" }), "zoe@");
    expect(await section.findByText("Nothing found for “zoe@”")).toBeTruthy();
    expect(kept.searches).toContain("zoe@");
  });

  it("say that they cannot be read, and are read again on demand", async () => {
    refuseCall("get", PATH, 422, { code: "refused" });
    const { section, user } = await open();
    expect(await section.findByText("Failed to load demo files")).toBeTruthy();
    keep(aDemo());
    await user.click(section.getByRole("button", { name: "Try Again" }));
    expect(await section.findByText("Rhythm Sound")).toBeTruthy();
  });

  it("show one that has just come in", async () => {
    const kept = keep(aDemo());
    const { section } = await open();
    await section.findByText("Rhythm Sound");
    kept.rows = [another, ...kept.rows];
    FakeEventSource.current.open();
    FakeEventSource.current.say("change", { table: "demos", op: "insert", key: "b" }, "7");
    expect(await section.findByText("zoe@example.org")).toBeTruthy();
  });

  it("are the newest hundred, say that there are more, and load them", async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(`*${PATH}`, ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(query.get("limit"));
        const isMore = query.has("cursor");
        const items = Array.from({ length: isMore ? 1 : 100 }, (_, place) =>
          aDemo({ id: `${isMore}${place}`, email: `${isMore ? "last" : place}@example.org` }),
        );
        return HttpResponse.json({ items, next_cursor: isMore ? null : "next", total: 101 });
      }),
    );
    const { section, user } = await open();
    expect(await section.findByText("There are more: 100 of 101 shown")).toBeTruthy();
    expect(section.getAllByRole("row")).toHaveLength(101);
    await user.click(section.getByRole("button", { name: "Load more of Demo Submissions" }));
    expect(await section.findByText("last@example.org")).toBeTruthy();
    expect(section.getByText("All 101 shown")).toBeTruthy();
    expect(asked).toEqual(["100", "100"]);
  });

  it("write to their artist and say nothing else, whatever the address holds", async () => {
    keep(aDemo({ email: "a?bcc=all&subject=b%c@example.org" }));
    const { section } = await open();
    const mail = await section.findByRole("link", { name: /bcc=all/ });
    const href = mail.getAttribute("href");
    expect(href).toBe("mailto:a%3Fbcc%3Dall%26subject%3Db%25c@example.org");
  });

  it("are deleted without a question, once by a double click", async () => {
    const kept = keep(aDemo(), another);
    const { section, user } = await open();
    await user.dblClick(await section.findByRole("button", { name: "Delete Rhythm Sound" }));
    await section.findByRole("heading", { name: "Demo Submissions (1)" });
    expect(kept.sent.map(({ call }) => call)).toEqual(["DELETE"]);
    expect(section.getByRole("button", { name: "Delete Zoë" })).toBeTruthy();
  });

  it("lead on to the next when one is deleted, and to their heading when none is left", async () => {
    keep(aDemo(), another);
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Delete Rhythm Sound" }));
    const heading = await section.findByRole("heading", { name: "Demo Submissions (1)" });
    const row = section.getByRole("button", { name: "Delete Zoë" }).closest("tr");
    expect(document.activeElement).toBe(row);
    section.getByRole("button", { name: "Delete Zoë" }).focus();
    await user.keyboard("{Enter}");
    expect(await section.findByText("No demo submissions yet")).toBeTruthy();
    expect(document.activeElement).toBe(heading);
  });

  it.each([
    ["Restored", ["b"]],
    ["Not in the trash", []],
  ])("are “%s” by UNDO where the answer to their deletion was lost", async (said, ids) => {
    const kept = keep(aDemo(), another);
    const restored = answerCall("post", "/api/admin/trash/restore", { ids });
    const { section, user } = await open();
    const key = await section.findByRole("button", { name: "Delete Zoë" });
    server.use(
      http.delete(`*${PATH}/:id`, () => {
        kept.rows = [aDemo()];
        return HttpResponse.error();
      }),
    );
    await user.click(key);
    const lost = "The server did not answer: UNDO brings back what may be gone.";
    expect(await screen.findAllByText(`Failed to delete demo file. ${lost}`)).not.toEqual([]);
    expect(await section.findByRole("heading", { name: "Demo Submissions (1)" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "UNDO" }));
    expect(await screen.findAllByText(said)).not.toEqual([]);
    expect(restored).toEqual([{ body: { kind: "demo", ids: ["b"] } }]);
  });

  it("stay where they could not be deleted", async () => {
    const kept = keep(aDemo());
    const { section, user } = await open();
    const key = await section.findByRole("button", { name: "Delete Rhythm Sound" });
    kept.refuseNext(500, { code: "internal" });
    await user.click(key);
    expect(await screen.findAllByText("Failed to delete demo file")).not.toEqual([]);
    expect(section.getByText("Rhythm Sound")).toBeTruthy();
  });
});

describe("listening to a demo", () => {
  const sounds = () =>
    players.filter((player) => player.hasAttribute("src")).map(({ src }) => src.split("#")[0]);
  function newestPlayer(): HTMLAudioElement {
    const player = players.at(-1);
    if (!player) throw new Error("no player");
    return player;
  }

  it("loads nothing before it is asked for, and one at a time", async () => {
    keep(aDemo(), another);
    const { section, user } = await open();
    const play = await section.findByRole("button", { name: "Play Rhythm Sound" });
    expect(sounds()).toEqual([]);
    await user.click(play);
    expect(sounds()).toEqual([`http://localhost:3000${PATH}/${aDemo().id}/file?inline=true`]);
    expect(HTMLMediaElement.prototype.play).toHaveBeenCalledOnce();
    await user.click(section.getByRole("button", { name: "Play Zoë" }));
    expect(sounds()).toEqual([`http://localhost:3000${PATH}/b/file?inline=true`]);
    await user.click(section.getByRole("button", { name: "Close the player of Zoë" }));
    expect(sounds()).toEqual([]);
  });

  it("can be paused, and moved to another place", async () => {
    keep(aDemo());
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Play Rhythm Sound" }));
    const player = within(section.getByRole("region", { name: "Player: Rhythm Sound" }));
    const audio = newestPlayer();
    Object.defineProperty(audio, "duration", { value: 234.5 });
    fireEvent.durationChange(audio);
    await user.click(player.getByRole("button", { name: "Pause Rhythm Sound" }));
    expect(HTMLMediaElement.prototype.pause).toHaveBeenCalled();
    expect(player.getByRole("button", { name: "Resume Rhythm Sound" })).toBeTruthy();
    const place = player.getByRole("slider", { name: "Place in Rhythm Sound" });
    fireEvent.change(place, { target: { value: "61" } });
    expect(audio.currentTime).toBe(61);
    expect(place.getAttribute("aria-valuetext")).toBe("1:01 of 3:54");
  });

  it("goes on with the file that takes its place, and does not begin by itself", async () => {
    const kept = keep(aDemo());
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Play Rhythm Sound" }));
    FakeEventSource.current.open();
    async function replace(file_name: string): Promise<void> {
      kept.rows = [aDemo({ file_name })];
      FakeEventSource.current.say("change", { table: "demos", op: "update", key: aDemo().id }, "7");
      await section.findByText(file_name);
    }
    await replace("second.mp3");
    expect(newestPlayer().src).toMatch(/#second.mp3$/);
    await user.click(section.getByRole("button", { name: "Pause Rhythm Sound" }));
    await replace("third.mp3");
    expect(players).toHaveLength(2);
    await user.click(section.getByRole("button", { name: "Resume Rhythm Sound" }));
    expect(newestPlayer().src).toMatch(/#third.mp3$/);
  });

  it.each([
    [206, "This browser cannot play it. Download it to hear it."],
    [404, "Its file is missing."],
    [503, "The server did not answer. Play tries again."],
  ])("says why where the server answers %i", async (status, said) => {
    keep(aDemo());
    server.use(http.get(`*${PATH}/:id/file`, () => new HttpResponse(null, { status })));
    const { section, user } = await open();
    await user.click(await section.findByRole("button", { name: "Play Rhythm Sound" }));
    const audio = newestPlayer();
    Object.defineProperty(audio, "error", { value: { code: 4 } });
    fireEvent.error(audio);
    const line = await section.findByRole("alert");
    expect(line.textContent).toBe(said);
    const isTriedAgain = section.queryByRole("button", { name: "Resume Rhythm Sound" }) !== null;
    expect(isTriedAgain).toBe(status === 503);
  });

  it("is not offered for an archive", async () => {
    keep(archive);
    const { section } = await open();
    expect(await section.findByRole("link", { name: "Download Packed" })).toBeTruthy();
    expect(section.queryByRole("button", { name: /^Play/ })).toBeNull();
  });
});
