import { act, screen, waitFor, within } from "@testing-library/react";
import { delay, HttpResponse } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  aFile,
  expectToast,
  fill,
  isClosed,
  OTHER_CONTENT,
  openDialog,
  submit,
} from "../../testing/demoDialog.ts";
import { expectOneAlert } from "../../testing/toast.ts";
import { refusal, serveTus } from "../../testing/tusServer.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("an upload under way", () => {
  /** Holds every PATCH until it is released. */
  function holdPatches() {
    const tus = serveTus();
    let letGo: () => void = () => undefined;
    const held = new Promise<undefined>((resolve) => {
      letGo = () => resolve(undefined);
    });
    tus.instead = (method) => (method === "PATCH" ? held : undefined);
    return { tus, letGo: () => letGo() };
  }

  it("shows how far it is, and takes no other words", async () => {
    const { letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    const bar = await app.form.findByRole("progressbar", { name: "Upload of mix.mp3" });
    expect(bar).toBeTruthy();
    // Not on CANCEL UPLOAD, which takes the place of the pressed button.
    const region = app.form.getByRole("region", { name: "Upload" });
    await waitFor(() => expect(document.activeElement).toBe(region));
    expect(app.form.getByLabelText("Artist name").closest("fieldset")?.disabled).toBe(true);
    await waitFor(() =>
      expect(app.form.getByRole("status").textContent).toBe("Uploading mix.mp3."),
    );
    letGo();
    await isClosed();
  });

  it("says no pace where nothing moves", async () => {
    const { letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await waitFor(() =>
      expect(app.form.getByRole("status").textContent).toBe("Uploading mix.mp3."),
    );
    expect(app.form.queryByText("Nothing moves right now.")).toBeNull();
    vi.useFakeTimers({ now: Date.now() + 6_000, toFake: ["Date"] });
    expect(await app.form.findByText("Nothing moves right now.")).toBeTruthy();
    letGo();
    await isClosed();
  });

  it("is given up by its key, here and at the server, and keeps words and file", async () => {
    const { tus } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await waitFor(() => expect(tus.calls).toContain("PATCH token-1"));
    await app.user.click(app.form.getByRole("button", { name: "CANCEL UPLOAD" }));
    await waitFor(() => expect(tus.uploads.size).toBe(0));
    expect(tus.calls.at(-1)).toBe("DELETE token-1");
    expect(app.form.getByLabelText<HTMLInputElement>("Artist name").value).toBe("Mira Vale");
    expect(app.form.getByText("mix.mp3")).toBeTruthy();
    expect(sessionStorage.getItem("deadwax.demo-upload")).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(app.form.getByRole("button", { name: "SUBMIT DEMO" })),
    );
  });

  it("asks before the dialog is closed, and goes on where that was a slip", async () => {
    const { tus, letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await app.form.findByRole("progressbar");
    await app.user.keyboard("{Escape}");
    const goOn = await screen.findByRole("button", { name: "CONTINUE UPLOAD" });
    expect(document.activeElement).toBe(goOn);
    await app.user.click(goOn);
    expect(screen.queryByRole("button", { name: "CONTINUE UPLOAD" })).toBeNull();
    letGo();
    await isClosed();
    expect(tus.calls).not.toContain("DELETE token-1");
  });

  it("is given up by the answer to the question, which leaves the focus in the dialog", async () => {
    const { tus } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await waitFor(() => expect(tus.calls).toContain("PATCH token-1"));
    await app.user.keyboard("{Escape}");
    const question = within(await screen.findByRole("alertdialog"));
    await app.user.click(question.getByRole("button", { name: "CANCEL UPLOAD" }));
    await waitFor(() => expect(tus.uploads.size).toBe(0));
    await waitFor(() =>
      expect(document.activeElement).toBe(app.form.getByRole("button", { name: "SUBMIT DEMO" })),
    );
  });

  it("goes on without a question when only the page under the dialog changes", async () => {
    const { letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await app.form.findByRole("progressbar");
    await act(() => app.router.navigate({ to: "/store", search: (open) => open }));
    expect(app.router.state.location.href).toBe("/store?dialog=demo");
    expect(app.form.getByRole("progressbar")).toBeTruthy();
    letGo();
    await isClosed();
  });

  it("asks before Back or a link takes the page away", async () => {
    const { letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await app.form.findByRole("progressbar");
    void app.router.navigate({ to: "/store" });
    expect(await screen.findByRole("button", { name: "CONTINUE UPLOAD" })).toBeTruthy();
    expect(app.router.state.location.href).toBe("/artists?dialog=demo");
    letGo();
    await isClosed();
  });
});

describe("an upload that breaks", () => {
  it("waits for the connection and goes on by itself when it is back", async () => {
    const tus = serveTus();
    let isDown = true;
    tus.instead = (method) => (isDown && method !== "POST" ? HttpResponse.error() : undefined);
    const app = await openDialog();
    await fill(app);
    await submit(app);
    expect(await app.form.findByText("Waiting for the connection")).toBeTruthy();
    expect(app.form.getByRole("status").textContent).toContain(
      "Waiting for the connection. The upload goes on by itself.",
    );
    isDown = false;
    window.dispatchEvent(new Event("online"));
    await isClosed();
    expect(tus.calls).toEqual(["POST", "PATCH token-1", "HEAD token-1", "PATCH token-1"]);
  });

  it("tries again by itself after the stated wait", async () => {
    const tus = serveTus();
    tus.instead = (method) =>
      tus.calls.length < 3 && method !== "POST" ? HttpResponse.error() : undefined;
    const app = await openDialog();
    await fill(app);
    await submit(app);
    expect(await app.form.findByText(/^Next try in 1 s/)).toBeTruthy();
    await isClosed();
  });

  it("does not take a server in trouble for a lost upload", async () => {
    const tus = serveTus();
    tus.instead = (method) => {
      if (method === "PATCH" && tus.calls.length === 2) return HttpResponse.error();
      if (method === "HEAD" && tus.calls.length === 3)
        return new HttpResponse(null, { status: 502 });
      return undefined;
    };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const app = await openDialog();
    await fill(app);
    await submit(app);
    for (const seconds of [1, 2]) {
      await app.form.findByText(new RegExp(`^Next try in ${seconds} s`));
      await act(() => vi.advanceTimersByTimeAsync(seconds * 1_000));
    }
    await isClosed();
    expect(tus.calls.filter((call) => call === "POST")).toHaveLength(1);
  });

  it.each([
    ["tells how far it is", undefined],
    ["refuses to", 422],
  ])(
    "asks for the answer again that was lost on the way, where the server %s",
    async (_, status) => {
      const tus = serveTus();
      tus.instead = async (method, request) => {
        if (method === "HEAD" && status) return new HttpResponse(null, { status });
        if (method !== "PATCH") return undefined;
        const kept = tus.uploads.get("token-1");
        if (kept && kept.offset === 0) {
          kept.offset = (await request.arrayBuffer()).byteLength;
          return HttpResponse.error();
        }
        return refusal(422, { code: "invalid_file_type", detail: OTHER_CONTENT });
      };
      const app = await openDialog();
      await fill(app);
      await submit(app);
      expect(await app.form.findByText(OTHER_CONTENT)).toBeTruthy();
      expect(tus.calls).toEqual(["POST", "PATCH token-1", "HEAD token-1", "PATCH token-1"]);
    },
  );

  it("breaks off the question for a lost answer once it is given up, and is taken back where it was refused", async () => {
    const tus = serveTus();
    let asked: AbortSignal | undefined;
    const fetched = vi.spyOn(globalThis, "fetch");
    tus.instead = async (method, request) => {
      if (method === "HEAD" && asked) return new HttpResponse(null, { status: 422 });
      if (method !== "PATCH") return undefined;
      const kept = tus.uploads.get("token-1");
      if (kept && kept.offset === 0) {
        kept.offset = (await request.arrayBuffer()).byteLength;
        return HttpResponse.error();
      }
      asked =
        fetched.mock.calls.find(([, init]) => init?.method === "PATCH")?.[1]?.signal ?? undefined;
      return delay("infinite").then(() => undefined);
    };
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await waitFor(() => expect(asked).toBeDefined());
    await app.user.click(app.form.getByRole("button", { name: "CANCEL UPLOAD" }));
    await waitFor(() => expect(asked?.aborted).toBe(true));
    expect(await app.form.findByRole("button", { name: "SUBMIT DEMO" })).toBeTruthy();
    await waitFor(() => expect(tus.calls.at(-1)).toBe("DELETE token-1"));
  });

  it.each([
    ["is on its way", "Checking the file", () => delay("infinite").then(() => undefined)],
    ["was lost again", "Waiting for the connection", () => HttpResponse.error()],
  ])("counts though it was given up, where only the answer %s", async (_, headline, answer) => {
    const tus = serveTus();
    tus.instead = async (method, request) => {
      if (method !== "PATCH") return undefined;
      const kept = tus.uploads.get("token-1");
      if (kept?.offset !== 0) return answer();
      kept.offset = (await request.arrayBuffer()).byteLength;
      return HttpResponse.error();
    };
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await waitFor(() =>
      expect(tus.calls).toEqual(["POST", "PATCH token-1", "HEAD token-1", "PATCH token-1"]),
    );
    await app.form.findByText(headline);
    await app.user.click(app.form.getByRole("button", { name: "CANCEL UPLOAD" }));
    await isClosed();
    await expectToast("Demo submitted successfully!", "Keep this link.");
    expect(tus.calls.at(-1)).toBe("HEAD token-1");
    expect(sessionStorage.getItem("deadwax.demo-upload")).toBeNull();
  });

  it("goes on after a reload with the same file and the same words", async () => {
    const tus = serveTus();
    tus.uploads.set("old", { length: 3_000, offset: 1_000, words: {} });
    const words = { artist_name: "Mira Vale", email: "mira@example.org", filename: "mix.mp3" };
    remember("old", words);
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await isClosed();
    expect(tus.calls).toEqual(["HEAD old", "PATCH old"]);
  });

  it("begins anew with other words, and takes back what was sent under the old ones", async () => {
    const tus = serveTus();
    tus.uploads.set("old", { length: 3_000, offset: 1_000, words: {} });
    remember("old", { artist_name: "Somebody", email: "mira@example.org", filename: "mix.mp3" });
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await isClosed();
    await waitFor(() => expect(tus.uploads.has("old")).toBe(false));
    expect(tus.calls.filter((call) => call === "POST")).toHaveLength(1);
  });

  function remember(token: string, metadata: Record<string, string>): void {
    const url = `http://localhost:3000/api/demos/${token}`;
    sessionStorage.setItem(
      "deadwax.demo-upload",
      JSON.stringify({
        fingerprint: "tus-br-mix.mp3-audio/mpeg-3000-1-http://localhost:3000/api/demos",
        urlStorageKey: url,
        uploadUrl: url,
        size: 3_000,
        metadata,
      }),
    );
  }
});

describe("a refusal", () => {
  it("of the content is said in the rules' words, and keeps words and file", async () => {
    const tus = serveTus();
    tus.instead = (method) =>
      method === "PATCH"
        ? refusal(422, { code: "invalid_file_type", detail: OTHER_CONTENT, fields: {} })
        : undefined;
    const app = await openDialog();
    await fill(app);
    await submit(app);
    expect(await app.form.findByText(OTHER_CONTENT)).toBeTruthy();
    await expectToast("Invalid file type", OTHER_CONTENT);
    expect(app.form.getByText("mix.mp3")).toBeTruthy();
    expect(app.form.getByLabelText<HTMLInputElement>("Artist name").value).toBe("Mira Vale");
    await waitFor(() =>
      expect(document.activeElement).toBe(app.form.getByRole("button", { name: /^Demo file/ })),
    );
    expect(sessionStorage.getItem("deadwax.demo-upload")).toBeNull();
  });

  it("of a field stands beside it", async () => {
    const tus = serveTus();
    const text = "Invalid characters in artist name";
    tus.instead = () =>
      refusal(422, { code: "artist_name_characters", detail: text, fields: { artist_name: text } });
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await expectToast("Invalid information", text);
    const field = app.form.getByLabelText("Artist name");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it.each([
    [429, "rate_limited", "Too many requests. Try again in 42 minutes."],
    [503, "storage_full", "There is no room for demos at the moment."],
  ])("with %i says why", async (status, code, text) => {
    const tus = serveTus();
    tus.instead = () => refusal(status, { code, detail: text, retry_after: 2_520 });
    const app = await openDialog();
    await fill(app);
    await submit(app);
    expect(await app.form.findByText(text)).toBeTruthy();
    await expectToast("Upload failed", text);
    expectOneAlert(text);
    expect(document.activeElement).toBe(app.form.getByRole("button", { name: "SUBMIT DEMO" }));
    expect(tus.calls).toEqual(["POST"]);
  });

  it("leaves the focus where the person has moved it", async () => {
    const tus = serveTus();
    let refuse = () => {};
    const refused = new Promise<Response>((resolve) => {
      refuse = () =>
        resolve(refusal(503, { code: "storage_full", detail: "No room.", fields: {} }));
    });
    tus.instead = () => refused;
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await app.form.findByRole("progressbar");
    const close = within(app.dialog).getByRole("button", { name: "CLOSE" });
    act(() => close.focus());
    refuse();
    expect(await app.form.findByRole("button", { name: "SUBMIT DEMO" })).toBeTruthy();
    expect(await app.form.findByText("No room.")).toBeTruthy();
    expect(document.activeElement).toBe(close);
  });

  it("of a file that changed meanwhile does not wait for a connection", async () => {
    const tus = serveTus();
    tus.instead = (method) => (method === "PATCH" ? HttpResponse.error() : undefined);
    const file = aFile();
    const app = await openDialog();
    await fill(app, file);
    vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(new Error("NotReadableError"));
    await submit(app);
    expect(await app.form.findByText(/changed or moved/)).toBeTruthy();
    await expectToast("Upload failed");
  });
});
