// The public forms where the rules cannot be had (no WebAssembly, a file that never arrives): the server decides, and
// nobody is kept from sending.
import { screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, refuseCall } from "../testing/calls.ts";
import { server } from "../testing/fakeApi.ts";
import { aMember, anAdmin } from "../testing/people.ts";
import { serveTus } from "../testing/tusServer.ts";

const WASM = "*/rules_wasm_bg.wasm";
const WAYS = {
  "do not arrive": () => server.use(http.get(WASM, () => HttpResponse.error())),
  hang: () => server.use(http.get(WASM, () => delay("infinite"))),
} as const;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
  vi.spyOn(console, "error").mockReturnValue();
});

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])("where the rules %s", (way) => {
  async function open(path: string) {
    WAYS[way]();
    // A fresh page, on which nothing was loaded before.
    const { renderPath } = await import("../testing/renderPath.tsx");
    return renderPath(path);
  }

  it("the newsletter takes an address as the server does", async () => {
    const heard = answerCall("post", "/api/newsletter", { success: true, message: "Added." });
    const { user } = await open("/");
    await user.type(await screen.findByLabelText("EMAIL"), "Mira@Example.org{Enter}");
    expect((await screen.findAllByText("Added.")).length).toBeGreaterThan(0);
    expect(heard[0]?.body).toEqual({ subscriber_email: "Mira@Example.org", client_ip: null });
    expect(await screen.findByRole("button", { name: "SUBSCRIBE" })).toBeTruthy();
  });

  it("the newsletter says what the server says is wrong", async () => {
    const body = { success: false, error: "invalid_email", message: "Not an address." };
    answerCall("post", "/api/newsletter", body, 422);
    const { user } = await open("/");
    await user.type(await screen.findByLabelText("EMAIL"), "nowhere{Enter}");
    expect((await screen.findAllByText("Not an address.")).length).toBeGreaterThan(0);
  });

  it("a message to the label is sent, and what is wrong stands at its field", async () => {
    const text = "Name must be at least 2 characters";
    refuseCall("post", "/api/contact", 422, { code: "invalid", fields: { name: text } });
    const { user } = await open("/contact");
    await user.type(await screen.findByLabelText("Name"), "M");
    await user.type(screen.getByLabelText("Email"), "mira@example.org");
    await user.type(screen.getByLabelText("Message"), "About the next record.");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    expect(await screen.findByText(text)).toBeTruthy();
    const heard = answerCall("post", "/api/contact", { error: null });
    await user.type(screen.getByLabelText("Name"), "ira");
    await user.click(screen.getByRole("button", { name: "SEND MESSAGE" }));
    await waitFor(() => expect(heard).toHaveLength(1));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe(""));
  });

  it("somebody signs in", async () => {
    const heard = answerCall("post", "/api/auth/sign-in", aMember());
    const { user } = await open("/store?dialog=login");
    const form = within(await screen.findByRole("form", { name: "Login" }));
    await user.type(form.getByLabelText("Email or username"), "mira");
    await user.type(form.getByLabelText("Password"), "a password{Enter}");
    expect(await screen.findByRole("button", { name: "Account menu" })).toBeTruthy();
    expect(heard[0]?.body).toEqual({ identifier: "mira", password: "a password" });
  });

  it("somebody signs up in the dialog", async () => {
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user, router } = await open("/store?dialog=login");
    await user.click(await screen.findByRole("tab", { name: "SIGN UP" }));
    const form = within(screen.getByRole("form", { name: "Sign up" }));
    await user.type(form.getByLabelText("Full name"), "Mira Vale");
    await user.type(form.getByLabelText("Email"), "mira@example.org");
    await user.type(form.getByLabelText("Username"), "mira");
    await user.type(form.getByLabelText("Password"), "sixsix{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/signup-success"));
  });

  it("somebody signs up on the page", async () => {
    answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
    const { user } = await open("/signup");
    await user.type(await screen.findByLabelText("Email"), "mira@example.org");
    await user.type(screen.getByLabelText("Password"), "sixsix{Enter}");
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
  });

  it("a demo travels", async () => {
    const tus = serveTus();
    const { user } = await open("/artists?dialog=demo");
    const form = within(await screen.findByRole("form", { name: "Demo" }));
    await user.type(form.getByLabelText("Artist name"), "Mira Vale");
    await user.type(form.getByLabelText("Email"), "mira@example.org");
    const input = document.querySelector<HTMLInputElement>("input[type=file]");
    if (!input) throw new Error("a file input");
    await user.upload(input, new File([new Uint8Array(3_000)], "mix.mp3", { type: "audio/mpeg" }));
    await user.click(form.getByRole("button", { name: "SUBMIT DEMO" }));
    await waitFor(() =>
      expect([...tus.uploads.values()].map(({ offset }) => offset)).toEqual([3_000]),
    );
  });

  it("the terminal takes a question", async () => {
    const heard = answerCall("post", "/api/terminal", { response: "Four artists." });
    const { user } = await open("/terminal");
    const command = await screen.findByLabelText<HTMLInputElement>("COMMAND");
    await waitFor(() => expect(command.disabled).toBe(false), { timeout: 10_000 });
    await user.type(command, "artists{Enter}");
    expect(await screen.findByText("Four artists.")).toBeTruthy();
    expect(heard[0]?.body).toEqual({ message: "artists" });
  });

  it("an admin gets in", async () => {
    answerCall("post", "/api/auth/sign-in", anAdmin());
    const { user } = await open("/admin/login");
    await user.type(await screen.findByLabelText("Email"), "label@example.org");
    await user.type(screen.getByLabelText("Password"), "a password{Enter}");
    expect(await screen.findByRole("heading", { name: "Admin Dashboard" })).toBeTruthy();
  });
});
