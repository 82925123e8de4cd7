import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  aFile,
  aFileOf,
  anArchive,
  choose,
  expectToast,
  fill,
  isClosed,
  openDialog,
  submit,
  WRONG_TYPE,
} from "../../testing/demoDialog.ts";
import { serveTus } from "../../testing/tusServer.ts";
import { showToast } from "../../ui/toasts/toastQueue.ts";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

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

  it("opens no keyboard over itself on a touch screen", async () => {
    const real = window.matchMedia.bind(window);
    vi.spyOn(window, "matchMedia").mockImplementation((query) =>
      query === "(pointer: coarse)" ? ({ matches: true } as MediaQueryList) : real(query),
    );
    const { dialog } = await openDialog();
    const close = within(dialog).getByRole("button", { name: "CLOSE" });
    await waitFor(() => expect(document.activeElement).toBe(close));
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

  it("gives the link to the demo's page, to be copied and kept", async () => {
    serveTus();
    const app = await openDialog();
    await fill(app);
    await submit(app);
    await isClosed();
    const link = await screen.findByRole("link", { name: `${location.origin}/demos/token-1` });
    expect(link.getAttribute("href")).toBe(`${location.origin}/demos/token-1`);
    await expectToast("Demo submitted successfully!", "Keep this link.");
    await app.user.click(screen.getByRole("button", { name: "Copy Link" }));
    expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/demos/token-1`);
    // It stays when another toast is shown.
    showToast({ title: "Something else" });
    await screen.findByText("Something else");
    expect(screen.getByRole("link", { name: /token-1$/ })).toBeTruthy();
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
    // The toast is withdrawn too, as it was about the other file.
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
    await waitFor(() => expect(app.form.queryByText("Reading…")).toBeNull());
    const alerts = app.form.queryAllByRole("alert");
    expect(alerts.map(({ textContent }) => textContent).join("")).toBe("");
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
