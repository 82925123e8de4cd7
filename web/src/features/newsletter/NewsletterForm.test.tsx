import { screen, waitFor } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { loadRules } from "../../rules/rules.ts";
import { answerCall, breakCall, refuseCall } from "../../testing/calls.ts";
import { server } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const PATH = "/api/newsletter";
const ADDED = { success: true, error: null, message: "Added." };

async function openForm() {
  const { user } = renderPath("/");
  const field = await screen.findByLabelText<HTMLInputElement>("EMAIL");
  const key = screen.getByRole("button", { name: "SUBSCRIBE" });
  return { user, field, key };
}

async function subscribe(address: string) {
  const form = await openForm();
  await form.user.type(form.field, `${address}{Enter}`);
  return form;
}

function trap(): HTMLInputElement {
  const found = document.querySelector<HTMLInputElement>("form [aria-hidden] input");
  if (!found) throw new Error("there is no trap");
  return found;
}

beforeEach(async () => {
  await loadRules();
});

describe("the newsletter's form", () => {
  it("subscribes an address, says so, and is empty again", async () => {
    const heard = answerCall("post", PATH, ADDED);
    const { field } = await subscribe("Mira@Example.org");
    expect((await screen.findAllByText("Transmission successful")).length).toBeGreaterThan(0);
    expect(
      screen.getAllByText("You have been added to the encrypted channel.").length,
    ).toBeGreaterThan(0);
    expect(heard[0]?.body).toEqual({ subscriber_email: "mira@example.org", client_ip: null });
    expect(field.value).toBe("");
    expect(screen.getByRole("button", { name: "SUBSCRIBE" })).toBeTruthy();
  });

  it("takes a pasted address with the space around it", async () => {
    const heard = answerCall("post", PATH, ADDED);
    const { user, field, key } = await openForm();
    await user.click(field);
    await user.paste("  mira@example.org \n");
    await user.click(key);
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]?.body).toMatchObject({ subscriber_email: "mira@example.org" });
  });

  it.each(["", "   "])("neither sends nor says anything of '%s'", async (typed) => {
    const heard = answerCall("post", PATH, ADDED);
    const { user, field, key } = await openForm();
    if (typed) await user.type(field, typed);
    await user.click(key);
    await user.type(field, "{Enter}");
    expect(heard).toEqual([]);
    expect(screen.queryByText(/Transmission/)).toBeNull();
  });

  it("leaves a domain in another script to the server", async () => {
    const heard = answerCall("post", PATH, ADDED);
    await subscribe("max@bücher.example");
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]?.body).toMatchObject({ subscriber_email: "max@bücher.example" });
  });

  it("says what is wrong with an address without asking the server, and keeps it", async () => {
    const heard = answerCall("post", PATH, ADDED);
    const { field } = await subscribe("mira@nowhere");
    expect((await screen.findAllByText("Invalid transmission format")).length).toBeGreaterThan(0);
    expect(heard).toEqual([]);
    expect(field.value).toBe("mira@nowhere");
    expect(field.getAttribute("aria-invalid")).toBe("true");
  });

  it.each([
    [422, "invalid_email", "Invalid transmission format", "Please enter a valid email address."],
    [429, "rate_limited", "Transmission blocked", "Too many attempts. Please try again later."],
    [422, "refused", "Transmission failed", "The server's own words."],
    [500, null, "Transmission failed", "The server's own words."],
    [200, "other", "Transmission failed", "The server's own words."],
  ])("answered %i %s says '%s' and keeps the address", async (status, error, title, text) => {
    const body = { success: false, error, message: "The server's own words." };
    answerCall("post", PATH, body, status);
    const { field } = await subscribe("mira@example.org");
    expect((await screen.findAllByText(title)).length).toBeGreaterThan(0);
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    expect(field.value).toBe("mira@example.org");
  });

  it("says what a refusal before the handler says", async () => {
    refuseCall("post", PATH, 503, { code: "busy", detail: "The label is busy." });
    await subscribe("mira@example.org");
    expect((await screen.findAllByText("The label is busy.")).length).toBeGreaterThan(0);
  });

  it("says that it failed when nothing answers, and can be tried again", async () => {
    breakCall("post", PATH);
    const { user, key } = await subscribe("mira@example.org");
    expect((await screen.findAllByText("Transmission failed")).length).toBeGreaterThan(0);
    expect(screen.getAllByText("Something went wrong. Please try again.").length).toBeGreaterThan(
      0,
    );
    answerCall("post", PATH, ADDED);
    await user.click(key);
    expect((await screen.findAllByText("Transmission successful")).length).toBeGreaterThan(0);
  });

  it("sends once however often it is pressed, and says that it is busy", async () => {
    const heard = vi.fn();
    server.use(
      http.post(`*${PATH}`, async () => {
        heard();
        await delay(150);
        return HttpResponse.json(ADDED);
      }),
    );
    const { user, key } = await subscribe("mira@example.org");
    await user.dblClick(key);
    expect(screen.getByRole("button", { name: "TRANSMITTING..." })).toBeTruthy();
    expect((await screen.findAllByText("Transmission successful")).length).toBeGreaterThan(0);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it("tells the server what was put into the field that nobody meets, and empties it", async () => {
    const heard = answerCall("post", PATH, ADDED);
    const { user, field } = await openForm();
    await user.type(field, "mira@example.org");
    trap().value = "http://pills.example";
    await user.type(field, "{Enter}");
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]?.body).toMatchObject({ trap: "http://pills.example" });
    await waitFor(() => expect(trap().value).toBe(""));
  });

  it("has nothing in it that is met by key or by ear but the field and its button", async () => {
    const { user, field, key } = await openForm();
    await user.click(field);
    await user.tab();
    expect(document.activeElement).toBe(key);
    expect(trap().tabIndex).toBe(-1);
    expect(trap().closest("[aria-hidden=true]")).toBeTruthy();
    expect(screen.getAllByRole("textbox")).toEqual([field]);
  });
});
