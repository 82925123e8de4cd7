import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answer } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

async function openDialog() {
  const { user } = renderPath("/artists");
  await user.click(await screen.findByRole("button", { name: "SUBMIT A DEMO" }));
  return within(await screen.findByRole("dialog", { name: "SUBMIT A DEMO" }));
}

describe("the promise of the demo dialog", () => {
  it.each([
    [1, "We listen within 1 day"],
    [9, "We listen within 9 days"],
  ])("is what the label keeps: %i", async (days, text) => {
    answer("/api/demos/promise", { days });
    const dialog = await openDialog();
    expect(await dialog.findByText(text)).toBeTruthy();
  });

  it("is not made while the figures say too little", async () => {
    const dialog = await openDialog();
    await dialog.findByText(/\.zip \.mp3 \.wav/);
    expect(dialog.queryByText(/We listen/)).toBeNull();
  });
});
