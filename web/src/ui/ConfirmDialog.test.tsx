import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

it("takes the second press of a double click for no answer", async () => {
  const confirm = vi.fn();
  render(
    <ConfirmDialog
      title="Stop this letter?"
      confirm="STOP"
      onConfirm={confirm}
      cancel="GO ON"
      onCancel={() => undefined}
    >
      That cannot be undone.
    </ConfirmDialog>,
  );
  const stop = await screen.findByRole("button", { name: "STOP" });
  fireEvent.click(stop, { detail: 2 });
  expect(confirm).not.toHaveBeenCalled();
  fireEvent.click(stop, { detail: 1 });
  expect(confirm).toHaveBeenCalledOnce();
});
