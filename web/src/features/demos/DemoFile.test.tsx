import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { RULES_WAIT_MS } from "../../rules/generated/constants.ts";
import {
  aFile,
  anArchive,
  choose,
  EMPTY,
  expectToast,
  fill,
  isClosed,
  type Opened,
  OTHER,
  OTHER_CONTENT,
  openDialog,
  submit,
} from "../../testing/demoDialog.ts";
import { aWave } from "../../testing/sound.ts";
import { serveTus } from "../../testing/tusServer.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe("what a chosen file is", () => {
  const LINE = "WAV, 24 bit, 48 kHz, 0:02";
  const line = (app: Opened) => app.form.getByRole("status").textContent;
  const key = (app: Opened) => app.form.getByRole("button", { name: /^Demo file/ });

  /** A promise the test resolves. */
  function aHold() {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { held, letGo: () => letGo() };
  }

  it("stands beside its name, whatever that is, and is said", async () => {
    const app = await openDialog();
    await choose(app, aWave(576_000, "🌀 Röhre.WAV"));
    await waitFor(() => expect(line(app)).toBe(LINE));
    expect(key(app).textContent).toContain(`🌀 Röhre.WAV ${LINE} 563 KB.`);
    await choose(app, anArchive({ isLocked: false }));
    await waitFor(() => expect(line(app)).toBe("ZIP, 1 track"));
    await app.user.click(app.form.getByRole("button", { name: "Remove the file" }));
    expect(line(app)).toBe("");
  });

  it("is read from its beginning alone", async () => {
    const app = await openDialog();
    const read: number[] = [];
    const original = Blob.prototype.arrayBuffer;
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementation(function (this: Blob) {
      read.push(this.size);
      return original.call(this);
    });
    await choose(app, aWave(73_400_320 - 44));
    await waitFor(() => expect(line(app)).toBe("WAV, 24 bit, 48 kHz, 4:14"));
    expect(read).toEqual([32_768]);
  });

  it.each([
    ["words", new File(["Dear label, here is my track."], "take.wav"), ...OTHER],
    ["nothing", new File([], "take.flac"), ...EMPTY],
    ["a song", new File([aFile()], "set.zip"), ...OTHER],
  ])("is refused where it is %s, and nothing else is lost", async (_, file, title, text) => {
    const tus = serveTus();
    const app = await openDialog();
    await fill(app, file);
    expect(await app.form.findByText(text)).toBeTruthy();
    await expectToast(title, text);
    expect(line(app)).toBe("");
    await submit(app);
    await waitFor(() => expect(document.activeElement).toBe(key(app)));
    expect(app.form.getByLabelText<HTMLInputElement>("Artist name").value).toBe("Mira Vale");
    expect(tus.calls).toEqual([]);
    await choose(app, aFile());
    await waitFor(() => expect(app.form.queryByText(text)).toBeNull());
    await submit(app);
    await isClosed();
  });

  it("is waited for by who is quicker, and refused before a byte travels", async () => {
    const { held, letGo } = aHold();
    const tus = serveTus();
    const app = await openDialog();
    const original = Blob.prototype.arrayBuffer;
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementation(async function (this: Blob) {
      await held;
      return original.call(this);
    });
    await fill(app, new File(["Dear label"], "take.wav"));
    expect(app.form.getByText("Reading…")).toBeTruthy();
    await submit(app);
    const key = app.form.getByRole("button", { name: "SUBMIT DEMO" });
    await waitFor(() => expect(key.getAttribute("aria-disabled")).toBe("true"));
    letGo();
    expect(await app.form.findByText(OTHER_CONTENT)).toBeTruthy();
    await waitFor(() => expect(key.getAttribute("aria-disabled")).toBe("false"));
    expect(tus.calls).toEqual([]);
  });

  it("is waited for three seconds and no longer, and then left to the server", async () => {
    const tus = serveTus();
    const app = await openDialog();
    const reading = vi
      .spyOn(Blob.prototype, "arrayBuffer")
      .mockReturnValue(new Promise<never>(() => undefined));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await fill(app, aFile());
    expect(app.form.getByText("Reading…")).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(RULES_WAIT_MS));
    vi.useRealTimers();
    expect(app.form.queryByText("Reading…")).toBeNull();
    expect(line(app)).toBe("");
    reading.mockRestore();
    await submit(app);
    await isClosed();
    expect(tus.calls).not.toEqual([]);
  });

  it("is not sent where its dialog was closed while it was looked into", async () => {
    const { held, letGo } = aHold();
    const tus = serveTus();
    const app = await openDialog();
    const original = Blob.prototype.arrayBuffer;
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementationOnce(async function (this: Blob) {
      await held;
      return original.call(this);
    });
    await fill(app, aWave(576_000));
    await submit(app);
    await app.user.keyboard("{Escape}");
    await isClosed();
    letGo();
    await new Promise((wake) => setTimeout(wake, 100));
    expect(tus.calls).toEqual([]);
    expect(screen.queryByText("Demo submitted successfully!")).toBeNull();
  });

  it("sends no file that was replaced while it was looked into", async () => {
    const { held, letGo } = aHold();
    const tus = serveTus();
    const app = await openDialog();
    const original = Blob.prototype.arrayBuffer;
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementationOnce(async function (this: Blob) {
      await held;
      return original.call(this);
    });
    await fill(app, new File(["Dear label"], "first.wav"));
    await submit(app);
    await choose(app, aWave(576_000));
    await waitFor(() => expect(line(app)).toBe(LINE));
    letGo();
    // Read once the previous press is done.
    await waitFor(async () => {
      const key = screen.queryByRole("button", { name: "SUBMIT DEMO" });
      if (key) await app.user.click(key);
      expect(screen.queryByRole("dialog", { name: "SUBMIT A DEMO" })).toBeNull();
    });
    const sent = [...tus.uploads.values()].map(({ words }) => words.filename);
    expect(sent).toEqual(["take.wav"]);
  });

  it("is that of the last file, however long an earlier one is read", async () => {
    const { held, letGo } = aHold();
    const app = await openDialog();
    const original = Blob.prototype.arrayBuffer;
    vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementationOnce(async function (this: Blob) {
      await held;
      return original.call(this);
    });
    await choose(app, new File(["Dear label"], "first.wav"));
    await choose(app, aWave(576_000));
    await waitFor(() => expect(line(app)).toBe(LINE));
    letGo();
    await held;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(line(app)).toBe(LINE);
    expect(app.form.queryByText(OTHER_CONTENT)).toBeNull();
  });

  it("is left to the server where the file cannot be read", async () => {
    const app = await openDialog();
    vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(new Error("NotFoundError"));
    await choose(app, new File(["Dear label"], "take.wav"));
    await waitFor(() => expect(app.form.queryByText("Reading…")).toBeNull());
    expect(line(app)).toBe("");
    expect(app.form.queryByText(OTHER_CONTENT)).toBeNull();
  });
});
