import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { loadRules } from "../../rules/rules.ts";
import { answerCall } from "../../testing/calls.ts";
import { answer } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";

async function openDialog() {
  const { user, client } = renderPath("/artists");
  await user.click(await screen.findByRole("button", { name: "SUBMIT A DEMO" }));
  const dialog = within(await screen.findByRole("dialog", { name: "SUBMIT A DEMO" }));
  return { dialog, client };
}

describe("the promise of the demo dialog", () => {
  it.each([
    [1, "We listen within 1 day"],
    [9, "We listen within 9 days"],
  ])("is what the label keeps: %i", async (days, text) => {
    answer("/api/demos/promise", { days });
    const { dialog } = await openDialog();
    expect(await dialog.findByText(text)).toBeTruthy();
  });

  it("is not made while the figures say too little", async () => {
    // The promise is only shown with the rules.
    await loadRules();
    const heard = answerCall("get", "/api/demos/promise", { days: null });
    const { dialog, client } = await openDialog();
    await waitFor(() => expect(heard).toHaveLength(1));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(dialog.queryByText(/We listen/)).toBeNull();
    act(() => client.setQueryData(["/api/demos/promise"], { days: 9 }));
    expect(await dialog.findByText("We listen within 9 days")).toBeTruthy();
  });
});
