// Input, expectations and answers of the walk without the rules.
import { screen, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import type { ToastCode } from "../../ui/messages.ts";
import type { renderPath } from "../renderPath.tsx";

export const WASM = "*/rules_wasm_bg.wasm";
/** The check of chosen files, which is missing too. */
export const AUDIO_WASM = "*/audio_wasm_bg.wasm";

export type User = ReturnType<typeof renderPath>["user"];

/** Sets a field's text as if pasted. */
export async function fill(user: User, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}

/** The descriptions of a field or button. */
export function describes(element: HTMLElement): (string | null | undefined)[] {
  const ids = element.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent);
}

/** Expects the server's message at the field, and the field to be marked invalid. */
export async function saysAt(field: HTMLElement, text: string): Promise<void> {
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(describes(field)).toContain(text);
}

/** Expects a toast with this title and text. */
export async function toast(title: string, text = ""): Promise<void> {
  await waitFor(() => {
    const toasts = screen.getAllByText(title).map((found) => found.parentElement?.textContent);
    expect(toasts.some((whole) => whole === title + text)).toBe(true);
  });
}

/** Expects a toast with the message of the code. */
export function says(code: ToastCode, value?: string): Promise<void> {
  const { title, text } = MESSAGES[code];
  return toast(title, value === undefined ? text : text.replace(/\{\w+\}/, value));
}

/** Requests reduced motion, so that the terminal boots at once. */
export function stand(): void {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.spyOn(window, "matchMedia").mockReturnValue(still as never);
}

export const REFUSED = "The server does not want this.";

/** The server's refusal of single fields. */
export const invalid = (fields: Record<string, string>) => ({
  code: "invalid",
  detail: REFUSED,
  fields,
});

export const aFile = (name: string, type = "image/png") => new File(["content"], name, { type });
