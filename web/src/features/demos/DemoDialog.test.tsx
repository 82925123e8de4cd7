import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { renderPath } from "../../testing/renderPath.tsx";
import { aWave } from "../../testing/sound.ts";
import { refusal, serveTus } from "../../testing/tusServer.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

const WRONG_TYPE = "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
const WRONG = ["Invalid file type", WRONG_TYPE] as const;
const EMPTY = ["Empty file", "This file is empty. Please choose another one."] as const;

/** Silent frames of 128 kbit/s, as many as fit. */
function aFile(name = "mix.mp3", bytes = 3_000): File {
  const content = new Uint8Array(bytes);
  for (let at = 0; at + 417 <= bytes; at += 417) content.set([0xff, 0xfb, 0x90, 0x64], at);
  return new File([content], name, { type: "audio/mpeg", lastModified: 1 });
}

/** An archive of one empty file. */
function anArchive({ isLocked }: { isLocked: boolean }): File {
  const name = new TextEncoder().encode("a.wav");
  const flag = isLocked ? 1 : 0;
  const local = new Uint8Array(30 + name.length);
  local.set([0x50, 0x4b, 3, 4]);
  local[6] = flag;
  local[26] = name.length;
  local.set(name, 30);
  const record = new Uint8Array(46 + name.length);
  record.set([0x50, 0x4b, 1, 2]);
  record[8] = flag;
  record[28] = name.length;
  record.set(name, 46);
  const end = new Uint8Array(22);
  end.set([0x50, 0x4b, 5, 6]);
  end.set([1, 0, 1], 8);
  end[12] = record.length;
  end[16] = local.length;
  return new File([local, record, end], "set.zip", { lastModified: 1 });
}

/** A file that says it is so large, without being it. */
function aFileOf(bytes: number): File {
  const file = aFile();
  Object.defineProperty(file, "size", { value: bytes });
  return file;
}

async function openDialog() {
  const app = renderPath("/artists");
  await app.user.click(await screen.findByRole("button", { name: "SUBMIT A DEMO" }));
  const dialog = await screen.findByRole("dialog", { name: "SUBMIT A DEMO" });
  const form = within(within(dialog).getByRole("form", { name: "Demo" }));
  await form.findByText(/\.zip \.mp3 \.wav \.flac \.m4a/);
  return { ...app, dialog, form };
}

type Opened = Awaited<ReturnType<typeof openDialog>>;

async function choose({ user, dialog }: Opened, file: File): Promise<void> {
  const input = dialog.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("a file input");
  await user.upload(input, file);
}

async function fill(app: Opened, file = aFile()): Promise<void> {
  await app.user.type(app.form.getByLabelText("Artist name"), "Mira Vale");
  await app.user.type(app.form.getByLabelText("Email"), "mira@example.org");
  await choose(app, file);
}

const submit = ({ user, form }: Opened) =>
  user.click(form.getByRole("button", { name: "SUBMIT DEMO" }));

const isClosed = () =>
  waitFor(() => expect(screen.queryByRole("dialog", { name: "SUBMIT A DEMO" })).toBeNull());

async function expectToast(title: string, text = ""): Promise<void> {
  await waitFor(() => {
    const toasts = screen.getAllByText(title).map((found) => found.parentElement?.textContent);
    expect(toasts.join()).toContain(text);
  });
}

describe("the demo dialog", () => {
  it("opens over the artists, is part of the address, and leads back to its key", async () => {
    const app = await openDialog();
    expect(app.router.state.location.href).toBe("/artists?dialog=demo");
    await waitFor(() =>
      expect(document.activeElement).toBe(app.form.getByLabelText("Artist name")),
    );
    await app.user.keyboard("{Escape}");
    await isClosed();
    expect(app.router.state.location.href).toBe("/artists");
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("button", { name: "SUBMIT A DEMO" })),
    );
  });

  it("sends words and file, says so, and closes", async () => {
    const tus = serveTus();
    const app = await openDialog();
    await fill(app);
    await app.user.type(app.form.getByLabelText("Message (optional)"), "Für euch");
    await submit(app);
    await isClosed();
    await expectToast("Demo submitted successfully!");
    expect(tus.calls).toEqual(["POST", "PATCH token-1"]);
    expect(tus.uploads.get("token-1")).toEqual({
      length: 3_000,
      offset: 3_000,
      words: {
        artist_name: "Mira Vale",
        email: "mira@example.org",
        message: "Für euch",
        filename: "mix.mp3",
      },
    });
    expect(sessionStorage).toHaveLength(0);
    expect(localStorage.getItem("deadwax.demo-draft")).toBeNull();
  });

  it("sends once, however often one presses", async () => {
    const tus = serveTus();
    const app = await openDialog();
    await fill(app);
    await app.user.dblClick(app.form.getByRole("button", { name: "SUBMIT DEMO" }));
    await isClosed();
    expect(tus.calls).toEqual(["POST", "PATCH token-1"]);
  });

  it("keeps what was typed over a reload, in this tab alone and without the file", async () => {
    const app = await openDialog();
    await fill(app);
    await app.user.keyboard("{Escape}");
    await isClosed();
    await app.user.click(screen.getByRole("button", { name: "SUBMIT A DEMO" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Artist name")).value).toBe("Mira Vale");
    expect(screen.queryByText("mix.mp3")).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it("keeps what was pasted last", async () => {
    const app = await openDialog();
    await app.user.click(app.form.getByLabelText("Message (optional)"));
    await app.user.paste("Three tracks, all at once.");
    await app.user.keyboard("{Escape}");
    await isClosed();
    await app.user.click(screen.getByRole("button", { name: "SUBMIT A DEMO" }));
    const message = await screen.findByLabelText<HTMLTextAreaElement>("Message (optional)");
    expect(message.value).toBe("Three tracks, all at once.");
  });
});

describe("before a byte travels", () => {
  it("says what is missing, at every field and in a toast, and leads to the first", async () => {
    const app = await openDialog();
    const text = "Please fill in all required fields and select a demo file.";
    await submit(app);
    expect(await app.form.findAllByText(text)).toHaveLength(3);
    await expectToast("Missing information", text);
    const name = app.form.getByLabelText("Artist name");
    expect(name.getAttribute("aria-invalid")).toBe("true");
    expect(app.form.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
    const file = app.form.getByRole("button", { name: /^Demo file/ });
    expect(file.getAttribute("aria-describedby")).toContain("error");
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("marks a malformed email beside a missing file, and leads to it", async () => {
    const app = await openDialog();
    await app.user.type(app.form.getByLabelText("Artist name"), "Mira Vale");
    await app.user.type(app.form.getByLabelText("Email"), "mira{Enter}");
    await expectToast("Missing information");
    expect(await app.form.findByText("Please enter a valid email address")).toBeTruthy();
    const file = app.form.getByRole("button", { name: /^Demo file/ });
    expect(file.getAttribute("aria-describedby")).toContain("error");
    await waitFor(() => expect(document.activeElement).toBe(app.form.getByLabelText("Email")));
  });

  it("asks for the file where everything else is there, and leads to it", async () => {
    const app = await openDialog();
    await app.user.type(app.form.getByLabelText("Artist name"), "Mira Vale");
    await app.user.type(app.form.getByLabelText("Email"), "mira@example.org{Enter}");
    await expectToast("Missing information");
    const key = app.form.getByRole("button", { name: /^Demo file/ });
    await waitFor(() => expect(document.activeElement).toBe(key));
    expect(key.getAttribute("aria-describedby")).toContain("error");
  });

  it("refuses a malformed email", async () => {
    const app = await openDialog();
    await fill(app);
    await app.user.type(app.form.getByLabelText("Email"), "{Backspace>20/}mira");
    await submit(app);
    expect(await app.form.findByText("Please enter a valid email address")).toBeTruthy();
    await expectToast("Invalid information", "Please enter a valid email address");
    expect(screen.queryByText("Upload failed")).toBeNull();
  });

  it("says what is wrong with an archive before it travels", async () => {
    const tus = serveTus();
    const app = await openDialog();
    await fill(app, anArchive({ isLocked: true }));
    const text = "This .zip is locked with a password. Please send one that opens without.";
    expect(await app.form.findByText(text)).toBeTruthy();
    await expectToast("Archive refused", text);
    await submit(app);
    await waitFor(() =>
      expect(document.activeElement).toBe(app.form.getByRole("button", { name: /^Demo file/ })),
    );
    expect(tus.calls).toEqual([]);
    await choose(app, anArchive({ isLocked: false }));
    // Also of the toast, which would speak of the other file.
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    await submit(app);
    await isClosed();
    expect(tus.calls).toContain("POST");
  });

  it.each([
    ["mix.ogg", WRONG_TYPE],
    ["mp3", WRONG_TYPE],
  ])("refuses %s as soon as it is chosen", async (name, text) => {
    const app = await openDialog();
    const input = app.dialog.querySelector<HTMLInputElement>("input[type=file]");
    if (!input) throw new Error("a file input");
    fireEvent.change(input, { target: { files: [aFile(name)] } });
    expect(await app.form.findByText(text)).toBeTruthy();
    await expectToast("Invalid file type", text);
  });

  it("accepts 70 MB and refuses one byte more, and asks nobody", async () => {
    const tus = serveTus();
    const app = await openDialog();
    await fill(app, aFileOf(73_400_320));
    expect(app.form.getByText(/^70\.0 MB/)).toBeTruthy();
    expect(app.form.queryByRole("alert", { name: /70MB/ })).toBeNull();
    await choose(app, aFileOf(73_400_321));
    const text = "File size must be under 70MB. Your file is 70.1 MB.";
    expect(await app.form.findByText(text)).toBeTruthy();
    await expectToast("File too large", text);
    await submit(app);
    await expectToast("File too large", text);
    expect(tus.calls).toEqual([]);
  });

  it("takes a file from anywhere over the window, and says why it takes no other", async () => {
    await openDialog();
    const files = [aFile("a.mp3"), aFile("b.mp3")];
    const drop = (dropped: File[], isDirectory = false) =>
      fireEvent.drop(document.body, {
        dataTransfer: {
          types: ["Files"],
          files: dropped,
          items: dropped.map(() => ({ webkitGetAsEntry: () => ({ isDirectory }) })),
        },
      });
    drop(files);
    expect(await screen.findByText(/Only one file can be sent/)).toBeTruthy();
    drop([aFile("folder")], true);
    expect(await screen.findByText(/A folder cannot be sent/)).toBeTruthy();
    drop([aFile("a.mp3")]);
    expect(await screen.findByText("a.mp3")).toBeTruthy();
    expect(screen.queryByText(/cannot be sent/)).toBeNull();
  });

  it("takes the file back", async () => {
    const app = await openDialog();
    await fill(app);
    await app.user.click(app.form.getByRole("button", { name: "Remove the file" }));
    expect(app.form.getByText("Choose a file or drop it here")).toBeTruthy();
  });
});

describe("what a chosen file is", () => {
  const LINE = "WAV, 24 bit, 48 kHz, 0:02";
  const line = (app: Opened) => app.form.getByRole("status").textContent;
  const key = (app: Opened) => app.form.getByRole("button", { name: /^Demo file/ });

  /** A promise that is kept when the test says so. */
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
    ["words", new File(["Dear label, here is my track."], "take.wav"), ...WRONG],
    ["nothing", new File([], "take.flac"), ...EMPTY],
    ["a song", new File([aFile()], "set.zip"), ...WRONG],
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
    expect(await app.form.findByText(WRONG_TYPE)).toBeTruthy();
    await waitFor(() => expect(key.getAttribute("aria-disabled")).toBe("false"));
    expect(tus.calls).toEqual([]);
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
    // Heard once the press before is through.
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
    expect(app.form.queryByText(WRONG_TYPE)).toBeNull();
  });

  it("is left to the server where the file cannot be read", async () => {
    const app = await openDialog();
    vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(new Error("NotFoundError"));
    await choose(app, new File(["Dear label"], "take.wav"));
    await waitFor(() => expect(app.form.queryByText("Reading…")).toBeNull());
    expect(line(app)).toBe("");
    expect(app.form.queryByText(WRONG_TYPE)).toBeNull();
  });
});

describe("an upload under way", () => {
  /** Lets every PATCH hang until it is let go. */
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
    expect(app.form.getByLabelText("Artist name").closest("fieldset")?.disabled).toBe(true);
    expect(app.form.getByRole("status").textContent).toBe("Uploading mix.mp3.");
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
    const goOn = await app.form.findByRole("button", { name: "CONTINUE UPLOAD" });
    expect(document.activeElement).toBe(goOn);
    await app.user.click(goOn);
    expect(app.form.queryByRole("button", { name: "CONTINUE UPLOAD" })).toBeNull();
    letGo();
    await isClosed();
    expect(tus.calls).not.toContain("DELETE token-1");
  });

  it("asks before Back or a link takes the page away", async () => {
    const { letGo } = holdPatches();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await app.form.findByRole("progressbar");
    void app.router.navigate({ to: "/store" });
    expect(await app.form.findByRole("button", { name: "CONTINUE UPLOAD" })).toBeTruthy();
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
    const app = await openDialog();
    await fill(app);
    await submit(app);
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
        return refusal(422, { code: "invalid_file_type", detail: WRONG_TYPE });
      };
      const app = await openDialog();
      await fill(app);
      await submit(app);
      expect(await app.form.findByText(WRONG_TYPE)).toBeTruthy();
      expect(tus.calls).toEqual(["POST", "PATCH token-1", "HEAD token-1", "PATCH token-1"]);
    },
  );

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
        ? refusal(422, { code: "invalid_file_type", detail: WRONG_TYPE, fields: {} })
        : undefined;
    const app = await openDialog();
    await fill(app);
    await submit(app);
    expect(await app.form.findByText(WRONG_TYPE)).toBeTruthy();
    await expectToast("Invalid file type", WRONG_TYPE);
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
    expect(tus.calls).toEqual(["POST"]);
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
