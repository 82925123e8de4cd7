import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "../../../api/client.ts";
import { aFile, OTHER_CONTENT } from "../../../testing/demoDialog.ts";
import { answer, answerBy, refuse, server } from "../../../testing/fakeApi.ts";
import { renderPath } from "../../../testing/renderPath.tsx";
import { refusal, serveTus } from "../../../testing/tusServer.ts";

type SentDemo = Answer<"GET", "/api/sender/{token}">;

const READ = "/api/sender/{token}";
const PATH = "/demos/of-nova";

const DEMO: SentDemo = {
  artist_name: "Nova <b>404</b>",
  original_name: "set.wav",
  size_bytes: 20_000,
  submitted_at: "2026-11-20T12:00:00Z",
  step: 0,
  label: "RECEIVED",
  decision: null,
  can_replace: true,
};

beforeEach(() => sessionStorage.clear());

async function choose(user: ReturnType<typeof renderPath>["user"], file: File): Promise<void> {
  const input = document.querySelector<HTMLInputElement>("main input[type=file]");
  if (!input) throw new Error("a file input");
  await user.upload(input, file);
}

describe("where a demo stands", () => {
  it("is shown in the label's four steps, with what was sent and nothing else", async () => {
    answer(READ, { ...DEMO, step: 1, label: "HEARD", can_replace: false });
    renderPath(PATH);
    const steps = within(await screen.findByRole("list", { name: "Where it stands" }));
    expect(steps.getAllByRole("listitem").map((step) => step.textContent)).toEqual([
      "RECEIVED",
      "HEARD",
      "SHORTLISTED",
      "DECISION",
    ]);
    const [current] = steps
      .getAllByRole("listitem")
      .filter((step) => step.getAttribute("aria-current") === "step");
    expect(current?.textContent).toBe("HEARD");
    expect(screen.getByRole("heading", { level: 2, name: "HEARD" })).toBeTruthy();
    // Text with its own direction does not affect the text around it.
    expect(screen.getByText("Nova <b>404</b>").tagName).toBe("BDI");
    expect(screen.getByText("set.wav").tagName).toBe("BDI");
    expect(screen.queryByRole("button", { name: "SEND ANOTHER FILE" })).toBeNull();
    expect(document.title).toContain("Your demo");
  });

  it.each([["ACCEPTED"], ["NOT THIS TIME"]])("says %s once that is sent", async (decision) => {
    answer(READ, { ...DEMO, step: 3, label: "DECISION", decision, can_replace: false });
    renderPath(PATH);
    expect(await screen.findByRole("heading", { level: 2, name: decision })).toBeTruthy();
  });

  it("is nobody's where the address leads nowhere", async () => {
    refuse(READ, 404);
    renderPath(PATH);
    expect(await screen.findByRole("heading", { name: "404" })).toBeTruthy();
    expect(screen.queryByText("YOUR DEMO")).toBeNull();
  });

  it("is said not to be known where nothing answers", async () => {
    refuse(READ, 0);
    renderPath(PATH);
    expect(await screen.findByText(/could not be asked where your demo stands/)).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "404" })).toBeNull();
  });
});

describe("another file", () => {
  it("takes the place of the one that was sent", async () => {
    const tus = serveTus();
    let name = "set.wav";
    answerBy(READ, () => ({ ...DEMO, original_name: name }));
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
    name = "better.mp3";
    await choose(user, aFile("better.mp3"));
    expect(await screen.findByText("The new file is here.")).toBeTruthy();
    expect(await screen.findByText("better.mp3")).toBeTruthy();
    expect([...tus.uploads.values()].map(({ words }) => words)).toEqual([
      { replaces: "of-nova", filename: "better.mp3" },
    ]);
  });

  it("is refused by the rules before a byte travels", async () => {
    const tus = serveTus();
    answer(READ, DEMO);
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
    const input = document.querySelector("main input[type=file]");
    // Like a file picker set to show all files.
    input?.removeAttribute("accept");
    await choose(user, aFile("set.ogg"));
    expect(
      await screen.findByText(/Please upload a \.zip, \.mp3, \.wav, \.flac or \.m4a file/),
    ).toBeTruthy();
    expect(tus.calls).toEqual([]);
  });

  it("is refused where its content is not what its name says", async () => {
    const tus = serveTus();
    answer(READ, DEMO);
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
    await choose(user, new File(["Dear label"], "mix.wav"));
    expect(await screen.findByText(OTHER_CONTENT)).toBeTruthy();
    expect(tus.calls).toEqual([]);
  });

  it("can be chosen again after a refusal, even while the page cannot be read", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const tus = serveTus();
    tus.instead = () => refusal(422, { code: "invalid", detail: "Try another one." });
    answer(READ, DEMO);
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
    refuse(READ, 500);
    await choose(user, aFile("better.mp3"));
    expect(await screen.findByText("Try another one.")).toBeTruthy();
    tus.instead = () => undefined;
    await choose(user, aFile("again.mp3"));
    expect(await screen.findByText("The new file is here.")).toBeTruthy();
  });

  it("comes too late once somebody has heard the demo", async () => {
    const tus = serveTus();
    const said = "The label has already heard this demo, so its file can no longer be replaced.";
    tus.instead = () => refusal(409, { code: "demo_heard", detail: said });
    let hasHeard = false;
    answerBy(READ, () =>
      hasHeard ? { ...DEMO, step: 1, label: "HEARD", can_replace: false } : DEMO,
    );
    const { user } = renderPath(PATH);
    await screen.findByRole("button", { name: "SEND ANOTHER FILE" });
    hasHeard = true;
    await choose(user, aFile("better.mp3"));
    expect(await screen.findByRole("heading", { level: 2, name: "HEARD" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "SEND ANOTHER FILE" })).toBeNull();
  });
});

describe("while another file is on its way", () => {
  /** Holds the first byte until it is released. */
  function hold(tus: ReturnType<typeof serveTus>): () => void {
    let letGo = () => {};
    const held = new Promise<undefined>((resolve) => {
      letGo = () => resolve(undefined);
    });
    tus.instead = () => held;
    return letGo;
  }
  const keyOfPage = () => screen.findByRole("button", { name: "SEND ANOTHER FILE" });

  it("the focus is on it, and back on the key when it is there", async () => {
    const letGo = hold(serveTus());
    answer(READ, DEMO);
    renderPath(PATH);
    (await keyOfPage()).focus();
    const input = document.querySelector("input[type=file]");
    // A picker gives the focus back to the key.
    if (input) fireEvent.change(input, { target: { files: [aFile("better.mp3")] } });
    const region = await screen.findByRole("region", { name: "Upload" });
    await waitFor(() => expect(document.activeElement).toBe(region));
    letGo();
    await screen.findByText("The new file is here.");
    const key = await keyOfPage();
    await waitFor(() => expect(document.activeElement).toBe(key));
  });

  it("the focus is on the page's name where no other can be sent any more", async () => {
    const tus = serveTus();
    tus.instead = () => refusal(409, { code: "demo_heard", detail: "Heard." });
    let hasHeard = false;
    answerBy(READ, () => (hasHeard ? { ...DEMO, step: 1, can_replace: false } : DEMO));
    const { user } = renderPath(PATH);
    await keyOfPage();
    hasHeard = true;
    await choose(user, aFile("better.mp3"));
    await waitFor(() => expect(screen.queryByRole("region", { name: "ANOTHER FILE" })).toBeNull());
    const name = screen.getByRole("heading", { level: 1 });
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("it goes on once the page knows that the demo was heard, and the server's words are shown", async () => {
    const tus = serveTus();
    const said = "The label has already heard this demo, so its file can no longer be replaced.";
    let answerNow = () => {};
    const answered = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    tus.instead = () => answered.then(() => refusal(409, { code: "demo_heard", detail: said }));
    answer(READ, DEMO);
    const { user, client } = renderPath(PATH);
    await keyOfPage();
    await choose(user, aFile("better.mp3"));
    await screen.findByRole("region", { name: "Upload" });
    answer(READ, { ...DEMO, step: 1, label: "HEARD", can_replace: false });
    await act(() => client.invalidateQueries());
    expect(await screen.findByRole("heading", { level: 2, name: "HEARD" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "Upload" })).toBeTruthy();
    answerNow();
    expect(await screen.findByText(said)).toBeTruthy();
    expect(screen.queryByRole("region", { name: "ANOTHER FILE" })).toBeNull();
  });

  it("leaving asks first", async () => {
    const letGo = hold(serveTus());
    answer(READ, DEMO);
    const { user, router } = renderPath(PATH);
    await keyOfPage();
    await choose(user, aFile("better.mp3"));
    const region = await screen.findByRole("region", { name: "Upload" });
    void router.navigate({ to: "/contact" });
    const goOn = await screen.findByRole("button", { name: "CONTINUE UPLOAD" });
    expect(router.state.location.pathname).toBe(PATH);
    expect(document.activeElement).toBe(goOn);
    await user.click(goOn);
    expect(document.activeElement).toBe(region);
    letGo();
    expect(await screen.findByText("The new file is here.")).toBeTruthy();
  });

  it("a second one that is chosen quickly is not sent", async () => {
    const tus = serveTus();
    answer(READ, DEMO);
    renderPath(PATH);
    await keyOfPage();
    const input = document.querySelector("main input[type=file]") as HTMLInputElement;
    for (const file of [aFile("better.mp3"), aFile("again.mp3")]) {
      Object.defineProperty(input, "files", { value: [file], configurable: true });
      fireEvent.change(input);
    }
    await screen.findByText("The new file is here.");
    expect([...tus.uploads.values()].map(({ words }) => words.filename)).toEqual(["better.mp3"]);
  });
});

describe("withdrawing", () => {
  it("asks once, and then everything is gone", async () => {
    const erased: string[] = [];
    let asked = 0;
    answerBy(READ, () => {
      asked += 1;
      return DEMO;
    });
    server.use(
      http.delete("*/api/sender/:token", ({ params }) => {
        erased.push(String(params.token));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderPath(PATH);
    await user.click(await screen.findByRole("button", { name: "WITHDRAW AND ERASE" }));
    const keep = screen.getByRole("button", { name: "KEEP IT" });
    expect(document.activeElement).toBe(keep);
    await user.click(keep);
    expect(erased).toEqual([]);
    const withdraw = screen.getByRole("button", { name: "WITHDRAW AND ERASE" });
    expect(document.activeElement).toBe(withdraw);
    await user.click(withdraw);
    await user.keyboard("{Escape}");
    expect(erased).toEqual([]);
    const again = screen.getByRole("button", { name: "WITHDRAW AND ERASE" });
    expect(document.activeElement).toBe(again);
    await user.click(again);
    vi.mocked(window.scrollTo).mockClear();
    await user.dblClick(screen.getByRole("button", { name: "ERASE EVERYTHING" }));
    const gone = await screen.findByRole("heading", { name: "ERASED" });
    await waitFor(() => expect(document.activeElement).toBe(gone));
    expect(window.scrollTo).toHaveBeenLastCalledWith(0, 0);
    expect(erased).toEqual(["of-nova"]);
    // Not read again: it could only be gone.
    expect(asked).toBe(1);
    expect(screen.queryByText("set.wav")).toBeNull();
  });

  it("takes the second press of a double click for no answer", async () => {
    const erased: unknown[] = [];
    answer(READ, DEMO);
    server.use(
      http.delete("*/api/sender/:token", ({ params }) => {
        erased.push(params.token);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderPath(PATH);
    await user.click(await screen.findByRole("button", { name: "WITHDRAW AND ERASE" }));
    const erase = screen.getByRole("button", { name: "ERASE EVERYTHING" });
    fireEvent.click(erase, { detail: 2 });
    await user.click(screen.getByRole("button", { name: "KEEP IT" }));
    expect(await screen.findByRole("button", { name: "WITHDRAW AND ERASE" })).toBeTruthy();
    expect(erased).toEqual([]);
  });

  it("says so where it did not work", async () => {
    answer(READ, DEMO);
    server.use(http.delete("*/api/sender/:token", () => HttpResponse.error()));
    const { user } = renderPath(PATH);
    await user.click(await screen.findByRole("button", { name: "WITHDRAW AND ERASE" }));
    await user.click(screen.getByRole("button", { name: "ERASE EVERYTHING" }));
    expect(await screen.findByText(/That did not work/)).toBeTruthy();
    expect(screen.getByText("set.wav")).toBeTruthy();
  });
});
