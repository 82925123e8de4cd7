// The demo dialog in tests, files to choose, and the results.
import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";
import { renderPath } from "./renderPath.tsx";

export const WRONG_TYPE = "Please upload a .zip, .mp3, .wav, .flac or .m4a file.";
export const OTHER_CONTENT =
  "This file is not what its name says. Please export it again as .zip, .mp3, .wav, .flac or .m4a.";
export const OTHER = ["Invalid file type", OTHER_CONTENT] as const;
export const EMPTY = ["Empty file", "This file is empty. Please choose another one."] as const;

/** Silent frames of 128 kbit/s in as many bytes. */
export function aFile(name = "mix.mp3", bytes = 3_000): File {
  const content = new Uint8Array(bytes);
  for (let at = 0; at + 417 <= bytes; at += 417) content.set([0xff, 0xfb, 0x90, 0x64], at);
  return new File([content], name, { type: "audio/mpeg", lastModified: 1 });
}

/** An archive of one empty file. */
export function anArchive({ isLocked }: { isLocked: boolean }): File {
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

/** A file that reports this size without containing it. */
export function aFileOf(bytes: number): File {
  const file = aFile();
  Object.defineProperty(file, "size", { value: bytes });
  return file;
}

export async function openDialog() {
  const app = renderPath("/artists");
  await app.user.click(await screen.findByRole("button", { name: "SUBMIT A DEMO" }));
  const dialog = await screen.findByRole("dialog", { name: "SUBMIT A DEMO" });
  const form = within(within(dialog).getByRole("form", { name: "Demo" }));
  await form.findByText(/\.zip \.mp3 \.wav \.flac \.m4a/);
  return { ...app, dialog, form };
}

export type Opened = Awaited<ReturnType<typeof openDialog>>;

export async function choose({ user, dialog }: Opened, file: File): Promise<void> {
  const input = dialog.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("a file input");
  await user.upload(input, file);
}

export async function fill(app: Opened, file = aFile()): Promise<void> {
  await app.user.type(app.form.getByLabelText("Artist name"), "Mira Vale");
  await app.user.type(app.form.getByLabelText("Email"), "mira@example.org");
  await choose(app, file);
}

export const submit = ({ user, form }: Opened) =>
  user.click(form.getByRole("button", { name: "SUBMIT DEMO" }));

export const isClosed = () =>
  waitFor(() => expect(screen.queryByRole("dialog", { name: "SUBMIT A DEMO" })).toBeNull());

export async function expectToast(title: string, text = ""): Promise<void> {
  await waitFor(() => {
    const toasts = screen.getAllByText(title).map((found) => found.parentElement?.textContent);
    expect(toasts.join()).toContain(text);
  });
}
