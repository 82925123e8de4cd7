import { screen, within } from "@testing-library/react";
import { expect } from "vitest";

/** Waits for a text of a toast. Its announcement may have the same text. */
export async function expectToast(text: string): Promise<void> {
  await screen.findAllByText(text);
}

/** Expects a text that is both in the page and in a toast to be announced once. */
export function expectOneAlert(text: string): void {
  const regions = document.querySelectorAll<HTMLElement>("[role=alert], [aria-live=assertive]");
  const alerts = [...regions].filter((region) => within(region).queryByText(text));
  expect(alerts).toHaveLength(1);
}
