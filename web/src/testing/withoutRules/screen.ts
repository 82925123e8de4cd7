// What the walk without the rules types, expects and is answered.
import { screen, waitFor } from "@testing-library/react";
import { expect, vi } from "vitest";
import { MESSAGES } from "../../rules/generated/messages.ts";
import type { ToastCode } from "../../ui/messages.ts";
import type { renderPath } from "../renderPath.tsx";

export const WASM = "*/rules_wasm_bg.wasm";
/** The look at chosen demos, which is gone with the rules. */
export const AUDIO_WASM = "*/audio_wasm_bg.wasm";

export type User = ReturnType<typeof renderPath>["user"];

/** What stands in a field afterwards, as if it had been pasted. */
export async function fill(user: User, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}

/** What is said about a field or a button beside its name. */
export function describes(element: HTMLElement): (string | null | undefined)[] {
  const ids = element.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent);
}

/** The server's words stand at the field, and the field says that it is wrong. */
export async function saysAt(field: HTMLElement, text: string): Promise<void> {
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(describes(field)).toContain(text);
}

/** A toast has this title, and this text below it. */
export async function toast(title: string, text = ""): Promise<void> {
  await waitFor(() => {
    const toasts = screen.getAllByText(title).map((found) => found.parentElement?.textContent);
    expect(toasts.some((whole) => whole === title + text)).toBe(true);
  });
}

/** A toast says what the catalogue has under the code. */
export function says(code: ToastCode, value?: string): Promise<void> {
  const { title, text } = MESSAGES[code];
  return toast(title, value === undefined ? text : text.replace(/\{\w+\}/, value));
}

/** The person wants nothing to move, so the terminal boots at once. */
export function stand(): void {
  const still = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.spyOn(window, "matchMedia").mockReturnValue(still as never);
}

export const OK = { status: "ok", code: "ok", message: "", request_id: "r" };
export const REFUSED = "The server does not want this.";

/** A refusal of single fields, as the server makes it. */
export const invalid = (fields: Record<string, string>) => ({
  code: "invalid",
  detail: REFUSED,
  fields,
});

export const aFile = (name: string, type = "image/png") => new File(["content"], name, { type });
