import { fireEvent, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Command } from "./commands.ts";
import { useShortcuts } from "./ShortcutsDialog.tsx";

function Desk({ run }: { run: (command: Command) => void }) {
  useShortcuts(true, run);
  return null;
}

it("a dialog that the browser itself draws takes all keys too", () => {
  const run = vi.fn();
  const { rerender } = render(<Desk run={run} />);
  fireEvent.keyDown(document.body, { key: "s" });
  expect(run).toHaveBeenCalledOnce();
  rerender(
    <>
      <Desk run={run} />
      <dialog open>ERROR</dialog>
    </>,
  );
  run.mockClear();
  fireEvent.keyDown(document.body, { key: "s" });
  expect(run).not.toHaveBeenCalled();
});
