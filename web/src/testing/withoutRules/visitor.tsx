// A visitor's actions without the rules.
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import { DEMO_TITLES } from "../../rules/generated/refusals.ts";
import { answerCall, refuseCall } from "../calls.ts";
import { aRelease } from "../catalogue.ts";
import { answer, answerBy, page, refuse } from "../fakeApi.ts";
import { renderPath } from "../renderPath.tsx";
import { refusal, serveTus } from "../tusServer.ts";
import { aFile, describes, fill, invalid, REFUSED, says, saysAt, stand, toast } from "./screen.ts";

describe("a visitor", () => {
  it("gets the newsletter", async () => {
    answerCall(
      "post",
      "/api/newsletter",
      { success: false, error: "invalid_email", message: REFUSED },
      422,
    );
    const { user } = renderPath("/");
    const field = await screen.findByLabelText("EMAIL");
    await fill(user, field, "Mira@Example");
    await user.keyboard("{Enter}");
    await saysAt(field, REFUSED);
    await toast(MESSAGES.newsletter_invalid_email.title, REFUSED);
    const heard = answerCall("post", "/api/newsletter", { success: true, message: "Added." });
    await fill(user, field, "Mira@Example.org");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.newsletter_subscribed.title, "Added.");
    expect(heard[0]?.body).toEqual({ subscriber_email: "Mira@Example.org", client_ip: null });
  });

  it("leaves the list", async () => {
    const { user } = renderPath("/newsletter/leave/of-mira");
    const button = await screen.findByRole("button", { name: "LEAVE THE LIST" });
    const sent = vi.fn((event: Event) => event.preventDefault());
    document.addEventListener("submit", sent, { once: true });
    await user.click(button);
    expect(sent).toHaveBeenCalledOnce();
  });

  it("writes to the label", async () => {
    refuseCall("post", "/api/contact", 422, invalid({ name: REFUSED }));
    const { user } = renderPath("/contact");
    const name = await screen.findByLabelText<HTMLInputElement>("Name");
    await fill(user, name, "M");
    await fill(user, screen.getByLabelText("Email"), "mira@example.org");
    await fill(user, screen.getByLabelText("Message"), "About the next record.");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await saysAt(name, REFUSED);
    const heard = answerCall("post", "/api/contact", { error: null });
    await fill(user, name, "Mira");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await says("contact_sent");
    expect(heard[0]?.body).toMatchObject({ name: "Mira", message: "About the next record." });
    expect(name.value).toBe("");
  });

  it("searches the releases", async () => {
    answerBy("/api/releases", (url) =>
      page([aRelease({ title: url.searchParams.get("q") === "404" ? "Found" : "Any" })]),
    );
    const { user } = renderPath("/releases?q=nothing");
    await screen.findByRole("article", { name: "Any" });
    await fill(user, screen.getByRole("searchbox", { name: "Search releases" }), "404");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("article", { name: "Found" })).toBeTruthy();
  });

  it("asks the terminal", async () => {
    stand();
    refuseCall("post", "/api/terminal", 500, { code: "internal" });
    const { user } = renderPath("/terminal");
    const command = await screen.findByLabelText<HTMLInputElement>("COMMAND");
    await waitFor(() => expect(command.disabled).toBe(false));
    await fill(user, command, "artists");
    await user.keyboard("{Enter}");
    await toast(MESSAGES.terminal_internal.text);
    await waitFor(() => expect(command.disabled).toBe(false));
    const heard = answerCall("post", "/api/terminal", { response: "Four artists." });
    await fill(user, command, " artists ");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Four artists.")).toBeTruthy();
    expect(heard[0]?.body).toEqual({ message: "artists" });
  });

  it("is shown what could not be read at first", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    refuse("/api/releases", 500);
    renderPath("/releases");
    expect(await screen.findByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
    answer("/api/releases", page([aRelease()]));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await screen.findByText("Dead Air Protocol")).toBeTruthy();
    expect(screen.getByText("2026.10.02")).toBeTruthy();
  });

  describe("who sends a demo", () => {
    async function open() {
      const app = renderPath("/artists?dialog=demo");
      const form = within(await screen.findByRole("form", { name: "Demo" }));
      const input = document.querySelector<HTMLInputElement>("input[type=file]");
      if (!input) throw new Error("a file input");
      const submit = () => app.user.click(form.getByRole("button", { name: "SUBMIT DEMO" }));
      return { ...app, form, input, submit };
    }

    it("learns that a file is missing", async () => {
      const { form, submit } = await open();
      await submit();
      const text = "Please fill in all required fields and select a demo file.";
      await toast("Missing information", text);
      const chooser = form.getByRole("button", { name: /^Demo file/ });
      expect(describes(chooser)).toEqual(["Required", text]);
    });

    it("reads what the server has against it, and sends it", async () => {
      const tus = serveTus();
      const { user, form, input, submit } = await open();
      await fill(user, form.getByLabelText("Artist name"), "Mira Vale");
      await fill(user, form.getByLabelText("Email"), "nowhere");
      await user.upload(input, aFile("mix.mp3", "audio/mpeg"));
      tus.instead = () =>
        refusal(422, { ...invalid({ email: REFUSED }), code: "artist_name_too_long" });
      await submit();
      await saysAt(form.getByLabelText("Email"), REFUSED);
      await toast(DEMO_TITLES.artist_name_too_long ?? "", REFUSED);
      await fill(user, form.getByLabelText("Email"), "mira@example.org");
      tus.instead = () =>
        refusal(422, { code: "archive_locked", detail: REFUSED, fields: { file: REFUSED } });
      await submit();
      await toast("Archive refused", REFUSED);
      const chooser = form.getByRole("button", { name: /^Demo file/ });
      await waitFor(() => expect(describes(chooser)).toEqual(["Required", REFUSED]));
      await user.upload(input, aFile("take two.mp3", "audio/mpeg"));
      tus.instead = () => undefined;
      await submit();
      expect(await screen.findByText(MESSAGES.demo_submitted.title)).toBeTruthy();
      expect(await screen.findByText(MESSAGES.demo_link.text)).toBeTruthy();
      expect([...tus.uploads.values()].map(({ offset, length }) => offset === length)).toEqual([
        true,
      ]);
    });

    it("sends another file in its place, and reads what the server has against it", async () => {
      const tus = serveTus();
      answer("/api/sender/{token}", {
        artist_name: "Mira Vale",
        original_name: "mix.mp3",
        size_bytes: 20_000,
        submitted_at: "2026-11-20T12:00:00Z",
        step: 0,
        label: "RECEIVED",
        decision: null,
        can_replace: true,
      });
      const { user } = renderPath("/demos/of-mira");
      await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
      const input = document.querySelector<HTMLInputElement>("main input[type=file]");
      if (!input) throw new Error("a file input");
      tus.instead = () => refusal(422, { code: "archive_locked", detail: REFUSED });
      await user.upload(input, aFile("mix.mp3", "audio/mpeg"));
      expect(await screen.findByText(REFUSED)).toBeTruthy();
      tus.instead = () => undefined;
      await user.upload(input, aFile("take two.mp3", "audio/mpeg"));
      expect(await screen.findByText("The new file is here.")).toBeTruthy();
      expect([...tus.uploads.values()].map(({ offset, length }) => offset === length)).toEqual([
        true,
      ]);
    });
  });
});
