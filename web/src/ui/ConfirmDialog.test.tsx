import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { Button } from "./Button.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

function Asked({ onConfirm }: { onConfirm: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>DELETE</Button>
      {isAsking && (
        <ConfirmDialog
          title="Stop this letter?"
          confirm="STOP"
          onConfirm={onConfirm}
          cancel="GO ON"
          onCancel={() => setAsking(false)}
        >
          That cannot be undone.
        </ConfirmDialog>
      )}
    </>
  );
}

it("takes the second press of a double click for no answer", async () => {
  const confirm = vi.fn();
  render(<Asked onConfirm={confirm} />);
  fireEvent.click(screen.getByRole("button", { name: "DELETE" }));
  const stop = await screen.findByRole("button", { name: "STOP" });
  fireEvent.click(stop, { detail: 2 });
  expect(confirm).not.toHaveBeenCalled();
  fireEvent.click(stop, { detail: 1 });
  expect(confirm).toHaveBeenCalledOnce();
});

it("is not confirmed by an Enter that is held, nor by a second one", async () => {
  const user = userEvent.setup();
  const confirm = vi.fn();
  render(<Asked onConfirm={confirm} />);
  screen.getByRole("button", { name: "DELETE" }).focus();
  await user.keyboard("{Enter>9/}");
  const goOn = await screen.findByRole("button", { name: "GO ON" });
  await waitFor(() => expect(document.activeElement).toBe(goOn));
  await user.keyboard("{Enter}");
  expect(goOn.isConnected).toBe(false);
  expect(confirm).not.toHaveBeenCalled();
});
