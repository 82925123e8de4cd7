import { act, render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Toasts } from "./Toasts.tsx";
import { showToast } from "./toastQueue.ts";

describe("toasts", () => {
  it("appear in a live region, those said before it was loaded too", async () => {
    render(<Toasts />);
    expect(screen.queryByText("Message Sent!")).toBeNull();
    act(() => {
      showToast({ title: "Message Sent!", description: "We'll get back to you soon." });
      showToast({ title: "Error", isError: true });
    });
    const toast = await screen.findAllByText("Message Sent!");
    expect(toast.length).toBeGreaterThan(0);
    expect((await screen.findAllByText("Error")).length).toBeGreaterThan(0);
    expect(document.querySelector("[aria-live]")).toBeTruthy();
  });
});
