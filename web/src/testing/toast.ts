import { screen } from "@testing-library/react";

/** Waits for a text of a toast. Its announcement may have the same text. */
export async function expectToast(text: string): Promise<void> {
  await screen.findAllByText(text);
}
