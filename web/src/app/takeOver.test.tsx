// Painted pages, as made by the server, hydrated by the app.
import { createMemoryHistory } from "@tanstack/react-router";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { seed } from "../api/queries.ts";
import { loadRules } from "../rules/rules.ts";
import { seeAs } from "../testing/calls.ts";
import { refuse } from "../testing/fakeApi.ts";
import { buildPaint, engine, firstView, PAGES, type Paint } from "../testing/painted.ts";
import { anAdmin } from "../testing/people.ts";
import { createQueryClient } from "./queryClient.ts";
import { createAppRouter } from "./routes.tsx";
import { showApp } from "./takeOver.tsx";

let paint: Paint;
const gone: (() => void)[] = [];

beforeAll(() => {
  paint = engine(buildPaint()).paint;
}, 120_000);

beforeEach(() => {
  localStorage.clear();
  vi.mocked(window.scrollTo).mockClear();
  document.head.innerHTML = '<meta name="deadwax-label" content="Dead &amp; Wax">';
});

afterEach(() => {
  for (const leave of gone.splice(0)) leave();
  document.body.innerHTML = "";
  delete window.takePressedEarly;
});

/** The data of a page whose API address is not found. */
function withAbsence(url: string): string {
  const view = JSON.parse(firstView());
  view.queries.push({ url, body: null, is_absent: true });
  return JSON.stringify(view);
}

/** Loads the document at `address`, painted for `painted`. */
async function arrive(address: string, painted = address, absent?: string) {
  const view = PAGES[painted]?.view ?? (absent ? withAbsence(absent) : firstView());
  document.body.innerHTML = `<div id="root" data-painted>${await paint(painted, view)}</div>`;
  const container = document.getElementById("root") as HTMLElement;
  const reported = vi.spyOn(console, "error");
  const client = createQueryClient();
  const { event_id } = seed(client, view);
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [address] }));
  return {
    container,
    reported,
    async takeOver(): Promise<void> {
      await act(async () => {
        const root = await showApp(container, client, router, event_id);
        gone.push(() => act(() => root.unmount()));
      });
      await waitFor(() => {
        const heading = container.querySelector("h1") ?? {};
        expect(Object.keys(heading).some((key) => key.startsWith("__reactFiber"))).toBe(true);
      });
    },
  };
}

describe.each(Object.keys(PAGES))("the page %s", (address) => {
  it("is taken over as it was painted", async () => {
    const page = await arrive(address);
    const heading = page.container.querySelector("h1");
    const link = page.container.querySelector("footer a");
    await page.takeOver();
    expect(page.container.querySelector("h1")).toBe(heading);
    expect(page.container.querySelector("footer a")).toBe(link);
    expect(window.scrollTo).not.toHaveBeenCalled();
    expect(page.reported.mock.calls).toEqual([]);
  });

  it("is taken over as it was painted by somebody signed in, who is known afterwards", async () => {
    localStorage.setItem("deadwax.signed-in", "true");
    seeAs(anAdmin());
    const page = await arrive(address);
    const heading = page.container.querySelector("h1");
    await page.takeOver();
    expect(await screen.findByRole("button", { name: "Account menu" })).toBeTruthy();
    expect(page.container.querySelector("h1")).toBe(heading);
    expect(page.reported.mock.calls).toEqual([]);
  });
});

describe("a painted page", () => {
  it("opens the dialog of its address once it has become the app", async () => {
    const page = await arrive("/?dialog=login", "/");
    const heading = page.container.querySelector("h1");
    await page.takeOver();
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
    expect(page.container.querySelector("h1")).toBe(heading);
    expect(page.reported.mock.calls).toEqual([]);
  });

  it("keeps what was typed, and the focus", async () => {
    await loadRules();
    const page = await arrive("/contact");
    const name = screen.getByLabelText<HTMLInputElement>("Name");
    name.value = "Mira";
    name.focus();
    await page.takeOver();
    expect(screen.getByLabelText("Name")).toBe(name);
    expect(name.value).toBe("Mira");
    expect(document.activeElement).toBe(name);
    await act(() => screen.getByRole("button", { name: "SEND MESSAGE" }).click());
    // The form has the value: only what is missing is reported.
    expect(await screen.findByText("Message must be at least 10 characters")).toBeTruthy();
    expect(screen.queryByText("Name must be at least 2 characters")).toBeNull();
  });

  it("presses again what was pressed before", async () => {
    const page = await arrive("/store");
    const pressed = screen.getByRole("button", { name: "LOGIN" });
    window.takePressedEarly = () => pressed;
    await page.takeOver();
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
    expect(page.reported.mock.calls).toEqual([]);
  });

  it("stores what was typed into a field that keeps its words", async () => {
    const page = await arrive("/signup");
    screen.getByLabelText<HTMLInputElement>("Email").value = "mira@example.org";
    screen.getByLabelText<HTMLInputElement>("Username").value = "mira";
    await page.takeOver();
    expect(JSON.parse(localStorage.getItem("deadwax.signup") ?? "{}")).toMatchObject({
      email: "mira@example.org",
      username: "mira",
    });
  });

  it("lets what is typed next take the place of a kept address that arrives under it", async () => {
    localStorage.setItem("deadwax.signup", JSON.stringify({ email: "old@example.org" }));
    const user = userEvent.setup();
    const page = await arrive("/signup");
    const field = screen.getByLabelText<HTMLInputElement>("Email");
    field.focus();
    await page.takeOver();
    expect(field.value).toBe("old@example.org");
    await user.keyboard("mira@example.org");
    expect(field.value).toBe("mira@example.org");
  });

  it("leaves the address of a sign-up that waits for its confirmation as it is", async () => {
    const kept = { email: "old@example.org", success: true };
    localStorage.setItem("deadwax.signup", JSON.stringify(kept));
    const page = await arrive("/signup");
    screen.getByLabelText<HTMLInputElement>("Email").value = "other@example.org";
    await page.takeOver();
    expect(await screen.findByRole("heading", { name: "CHECK YOUR INBOX" })).toBeTruthy();
    expect(JSON.parse(localStorage.getItem("deadwax.signup") ?? "{}")).toMatchObject(kept);
  });

  it("opens the login that was pressed where the session has ended since", async () => {
    localStorage.setItem("deadwax.signed-in", "true");
    const page = await arrive("/store");
    const pressed = screen.getByRole("button", { name: "LOGIN" });
    window.takePressedEarly = () => pressed;
    await page.takeOver();
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
  });

  it("opens no login once the person turns out to be signed in", async () => {
    localStorage.setItem("deadwax.signed-in", "true");
    seeAs(anAdmin());
    const page = await arrive("/store");
    const pressed = screen.getByRole("button", { name: "LOGIN" });
    window.takePressedEarly = () => pressed;
    await page.takeOver();
    expect(await screen.findByRole("button", { name: "Account menu" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("keeps what was typed and pressed where a translator has changed it", async () => {
    const page = await arrive("/contact");
    const font = document.createElement("font");
    font.textContent = "KONTAKT";
    page.container.querySelector("h1")?.replaceChildren(font);
    const name = screen.getByLabelText<HTMLInputElement>("Name");
    name.value = "Mira";
    name.focus();
    const pressed = screen.getByRole("button", { name: "LOGIN" });
    window.takePressedEarly = () => pressed;
    await page.takeOver();
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
    expect(document.querySelector<HTMLInputElement>("input[name=name]")?.value).toBe("Mira");
    expect(page.reported.mock.calls).toEqual([]);
  });

  it("of a wrong address is that of whatever wrong address was asked for", async () => {
    const page = await arrive("/nothing/here", "/404");
    const heading = page.container.querySelector("h1");
    await page.takeOver();
    expect(page.container.querySelector("h1")).toBe(heading);
    expect(page.reported.mock.calls).toEqual([]);
  });

  it("of an artist who is gone says so before and after, and shows nothing else in between", async () => {
    const id = "0193e7a0-0000-7000-8000-00000000dead";
    refuse("/api/artists/{id}", 404);
    const page = await arrive(`/artists/${id}`, "/artists/404", "/api/artists/404");
    const seen = new Set([page.container.querySelector("main")?.textContent]);
    const watch = new MutationObserver(() =>
      seen.add(page.container.querySelector("main")?.textContent),
    );
    watch.observe(page.container, { childList: true, subtree: true, characterData: true });
    await page.takeOver();
    expect(await screen.findByRole("link", { name: "RETURN TO ARTISTS" })).toBeTruthy();
    watch.disconnect();
    for (const words of seen) expect(words ?? "ARTIST NOT FOUND").toContain("ARTIST NOT FOUND");
    expect(page.reported.mock.calls).toEqual([]);
  });
});
