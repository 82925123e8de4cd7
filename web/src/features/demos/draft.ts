// The dialog's input, kept for this tab until the demo is sent. The file cannot be kept.
import type { DemoInputs } from "../../rules/forms/inputs.ts";
import { createBrowserStore } from "../../session/browserStore.ts";

export type DemoFields = Omit<DemoInputs, "file">;

const BLANK: DemoFields = { artist_name: "", email: "", message: "" };

const store = createBrowserStore("deadwax.demo-draft", readFields, "tab");

export function readDraft(): DemoFields {
  return store.get();
}

export function keepDraft({ artist_name, email, message }: DemoFields): void {
  store.update(() => ({ artist_name, email, message }));
}

export function forgetDraft(): void {
  store.clear();
}

function readFields(found: unknown): DemoFields {
  if (typeof found !== "object" || found === null) return BLANK;
  const parts = Object.entries(found).filter(
    ([name, part]) => name in BLANK && typeof part === "string",
  );
  return { ...BLANK, ...Object.fromEntries(parts) };
}
