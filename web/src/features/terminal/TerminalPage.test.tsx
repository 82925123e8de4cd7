import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadRules } from "../../rules/rules.ts";
import { answerCall, breakCall } from "../../testing/calls.ts";
import { answer as answerRead, page, server } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

const PATH = "/api/terminal";
const MEMORY = "deadwax.terminal";
const FAILED = "ERROR: Connection to AI system failed. Please try again.";

const STILL = "(prefers-reduced-motion: reduce)";

/** Requests reduced motion, so that the boot sequence is skipped. */
function keepStill(): void {
  const real = window.matchMedia.bind(window);
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    query === STILL ? ({ matches: true } as MediaQueryList) : real(query),
  );
}

const command = () => screen.getByLabelText<HTMLInputElement>("COMMAND");
const log = () => screen.getByRole("log");
const lineCount = () => log().querySelectorAll("time").length;

async function openTerminal() {
  keepStill();
  const app = renderPath("/terminal");
  await waitFor(() => expect(command().disabled).toBe(false));
  return app;
}

beforeEach(async () => {
  sessionStorage.clear();
  await loadRules();
});

it("says what the field is for, in words that are always there", async () => {
  await openTerminal();
  expect(screen.getByText("COMMAND").className).not.toContain("sr-only");
  expect(command().placeholder).toBe("Ask, or type help");
});

describe("the boot sequence", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("focuses the input also for whoever came by the navigation, and for nobody who went elsewhere", async () => {
    keepStill();
    const { router } = renderPath("/store");
    await screen.findByText("COMING SOON");
    await act(() => router.navigate({ to: "/terminal" }));
    await waitFor(() => expect(document.activeElement).toBe(command()));
  });

  it("focuses the input also on a second arrival, with the focus on the pressed link", async () => {
    const { user } = await openTerminal();
    const links = within(screen.getByRole("navigation", { name: "Main" }));
    await user.click(links.getByRole("link", { name: "STORE" }));
    await screen.findByText("COMING SOON");
    await user.click(links.getByRole("link", { name: "TERMINAL" }));
    await waitFor(() => expect(document.activeElement).toBe(command()));
  });

  it("shows a line every 800 ms, then enables and focuses the input", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderPath("/terminal");
    await waitFor(() => expect(lineCount()).toBe(1));
    for (const count of [2, 3, 4]) {
      expect(command().disabled).toBe(true);
      await act(() => vi.advanceTimersByTimeAsync(500));
      expect(lineCount()).toBe(count - 1);
      await act(() => vi.advanceTimersByTimeAsync(300));
      await waitFor(() => expect(lineCount()).toBe(count));
    }
    expect(command().disabled).toBe(false);
    expect(document.activeElement).toBe(command());
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(lineCount()).toBe(4);
  });

  it("is over at once for who wants nothing to move", async () => {
    await openTerminal();
    expect(lineCount()).toBe(4);
    expect(document.activeElement).toBe(command());
  });

  it("takes the focus from nobody who is elsewhere by then", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderPath("/terminal");
    await waitFor(() => expect(lineCount()).toBe(1));
    const link = screen.getAllByRole("link", { name: "STORE" })[0];
    link?.focus();
    for (let line = 2; line <= 4; line += 1) {
      await act(() => vi.advanceTimersByTimeAsync(800));
    }
    await waitFor(() => expect(command().disabled).toBe(false));
    expect(document.activeElement).toBe(link);
  });
});

describe("a question", () => {
  it("is sent trimmed, shown, and answered under it with the time", async () => {
    const heard = answerCall("post", PATH, { response: "404-019 is out." });
    const { user } = await openTerminal();
    await user.type(command(), "  what is new  {Enter}");
    expect(await screen.findByText("404-019 is out.")).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ message: "what is new" }]);
    expect(within(log()).getByText("what is new")).toBeTruthy();
    expect(within(log()).getByText("YOU")).toBeTruthy();
    const newest = [...log().querySelectorAll("time")].at(-1);
    expect(newest?.textContent).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(command().value).toBe("");
  });

  it("disables the input while it is processed, is asked once, and gives the focus back", async () => {
    const heard = vi.fn();
    server.use(
      http.post(`*${PATH}`, async () => {
        heard();
        await delay(150);
        return HttpResponse.json({ response: "There." });
      }),
    );
    const { user } = await openTerminal();
    await user.type(command(), "where{Enter}{Enter}");
    expect(await screen.findByText("Processing query...")).toBeTruthy();
    expect(command().disabled).toBe(true);
    expect(await screen.findByText("There.")).toBeTruthy();
    expect(screen.queryByText("Processing query...")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(command()));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it.each(["", "   "])("made of '%s' is none", async (typed) => {
    const heard = answerCall("post", PATH, { response: "?" });
    const { user } = await openTerminal();
    await user.type(command(), `${typed}{Enter}`);
    expect(heard).toEqual([]);
    expect(lineCount()).toBe(4);
  });

  it("that is too long stays in its field and is refused", async () => {
    const heard = answerCall("post", PATH, { response: "?" });
    const { user } = await openTerminal();
    await user.click(command());
    await user.paste("a".repeat(1_001));
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Message must be less than 1000 characters")).toBeTruthy();
    expect(command().value).toHaveLength(1_001);
    expect(heard).toEqual([]);
    await user.keyboard("{Backspace}");
    expect(screen.queryByText("Message must be less than 1000 characters")).toBeNull();
  });
});

describe("an answer", () => {
  it("is text, whatever it holds", async () => {
    const response = '<img src=x onerror="alert(1)"> <a href="/admin">click</a>';
    answerCall("post", PATH, { response });
    const { user } = await openTerminal();
    await user.type(command(), "hello{Enter}");
    expect(await screen.findByText(response)).toBeTruthy();
    expect(log().querySelector("img, a")).toBeNull();
  });

  it("leads to pages of the site and, in a tab of their own, to encrypted addresses", async () => {
    answerCall("post", PATH, {
      response: "Hear it:\nhttps://open.spotify.com/album/1\n/store",
    });
    const { user, router } = await openTerminal();
    await user.type(command(), "listen{Enter}");
    const away = await screen.findByRole("link", { name: "https://open.spotify.com/album/1" });
    expect(away.getAttribute("rel")).toBe("noopener noreferrer");
    await user.click(within(log()).getByRole("link", { name: "/store" }));
    expect(await screen.findByText("COMING SOON")).toBeTruthy();

    await router.navigate({ to: "/terminal" });
    expect(await screen.findByText("Hear it:")).toBeTruthy();
    expect(lineCount()).toBe(6);
    expect(command().disabled).toBe(false);
  });

  it("names the pages it leads to, and opens the form for demos", async () => {
    answerCall("post", PATH, { response: "DEMOS\nSend a demo (/artists?dialog=demo)" });
    const { user, router } = await openTerminal();
    await user.type(command(), "demo{Enter}");
    const link = await screen.findByRole("link", { name: "Send a demo" });
    expect(log().textContent).not.toContain("/artists");
    link.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.href).toBe("/artists?dialog=demo"));
  });

  it("arrives also when the visitor has gone to another page meanwhile", async () => {
    server.use(
      http.post(`*${PATH}`, async () => {
        await delay(150);
        return HttpResponse.json({ response: "Here it is." });
      }),
    );
    const { user, router } = await openTerminal();
    await user.type(command(), "slow one{Enter}");
    await router.navigate({ to: "/store" });
    await screen.findByText("COMING SOON");
    await router.navigate({ to: "/terminal" });
    expect(await screen.findByText("Here it is.")).toBeTruthy();
  });

  it("comes from memory the second time, tagged, in whatever case it is asked", async () => {
    const heard = answerCall("post", PATH, { response: "404-019" });
    const { user } = await openTerminal();
    await user.type(command(), "Latest?{Enter}");
    await screen.findByText("404-019");
    await waitFor(() => expect(command().disabled).toBe(false));
    await user.type(command(), " LATEST? {Enter}");
    expect(await screen.findByText("404-019 [cached]")).toBeTruthy();
    expect(heard).toHaveLength(1);
    expect(JSON.parse(sessionStorage.getItem(MEMORY) ?? "[]")).toMatchObject([
      { question: "latest?", response: "404-019", timestamp: expect.any(Number) },
    ]);
  });

  it("is remembered over a reload, and nonsense in its place does no harm", async () => {
    const entry = { question: "latest?", response: "404-019", timestamp: 1 };
    sessionStorage.setItem(MEMORY, JSON.stringify([{ question: 7 }, null, entry]));
    const { user } = await openTerminal();
    await user.type(command(), "latest?{Enter}");
    expect(await screen.findByText("404-019 [cached]")).toBeTruthy();
  });
});

it("reads a memory with the names of an earlier version, and rewrites it", async () => {
  sessionStorage.setItem(
    MEMORY,
    JSON.stringify([{ question: "latest?", response: "404-019", timestamp_ms: 7 }]),
  );
  const { user } = await openTerminal();
  await user.type(command(), "latest?{Enter}");
  expect(await screen.findByText("404-019 [cached]")).toBeTruthy();
  expect(JSON.parse(sessionStorage.getItem(MEMORY) ?? "[]")).toEqual([
    { question: "latest?", response: "404-019", timestamp: 7 },
  ]);
});

describe("a failure", () => {
  it.each([
    [401, "Authentication failed. Service temporarily unavailable."],
    [404, "AI service not found. Please contact support."],
    [429, "Rate limit exceeded. Please wait before trying again."],
    [500, "Internal server error. Please try again later."],
    [400, FAILED],
    [502, FAILED],
  ])(
    "answered %i shows the error line and the toast '%s', and is not remembered",
    async (status, toast) => {
      answerCall("post", PATH, { response: null, code: "x", message: "upstream" }, status);
      const { user } = await openTerminal();
      await user.type(command(), "latest{Enter}");
      expect(await within(log()).findByText(FAILED)).toBeTruthy();
      const said = await screen.findAllByText(toast);
      expect(said.some((element) => !log().contains(element))).toBe(true);
      expect(sessionStorage.getItem(MEMORY)).toBeNull();
      expect(command().disabled).toBe(false);
    },
  );

  it("is also silence, and an answer without a response", async () => {
    const { user } = await openTerminal();
    breakCall("post", PATH);
    await user.type(command(), "one{Enter}");
    expect(await within(log()).findByText(FAILED)).toBeTruthy();
    answerCall("post", PATH, { surprise: true });
    await waitFor(() => expect(command().disabled).toBe(false));
    await user.type(command(), "two{Enter}");
    await waitFor(() => expect(within(log()).getAllByText(FAILED)).toHaveLength(2));
    expect(sessionStorage.getItem(MEMORY)).toBeNull();
  });

  it("for maintenance brings the maintenance screen", async () => {
    const { user } = await openTerminal();
    answerCall("post", PATH, { response: null, code: "maintenance", message: "" }, 503);
    answerRead(
      "/api/maintenance",
      page([{ page_key: "terminal", is_maintenance_mode: true, maintenance_message: null }]),
    );
    await user.type(command(), "latest{Enter}");
    expect(await screen.findByText("SYSTEM PATCH IN PROGRESS...")).toBeTruthy();
  });
});

describe("the arrow keys", () => {
  it("walk through what was asked, as in a shell, and keep what was begun", async () => {
    answerCall("post", PATH, { response: "Yes." });
    const { user } = await openTerminal();
    for (const question of ["one", "two", "two", "three"]) {
      await waitFor(() => expect(command().disabled).toBe(false));
      await user.type(command(), `${question}{Enter}`);
    }
    await waitFor(() => expect(command().disabled).toBe(false));
    await user.type(command(), "beg");
    const seen: string[] = [];
    const steps = ["Up", "Up", "Up", "Up", "Down", "Down", "Down", "Down"];
    for (const step of steps) {
      await user.keyboard(`{Arrow${step}}`);
      seen.push(command().value);
    }
    expect(seen).toEqual(["three", "two", "one", "one", "two", "three", "beg", "beg"]);
    await user.keyboard("{ArrowUp}!{Enter}");
    expect(await within(log()).findByText("three!")).toBeTruthy();
  });
});

describe("who listens", () => {
  it("hears system and answers politely, and neither the own words nor an error twice", async () => {
    const { user } = await openTerminal();
    expect(log().getAttribute("aria-live")).toBe("polite");
    breakCall("post", PATH);
    await user.type(command(), "hello{Enter}");
    const error = await within(log()).findByText(FAILED);
    expect(error.closest("[aria-live]")?.getAttribute("aria-live")).toBe("off");
    const own = within(log()).getByText("hello");
    expect(own.closest("[aria-live]")?.getAttribute("aria-live")).toBe("off");
  });
});
