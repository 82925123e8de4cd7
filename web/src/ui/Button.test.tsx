import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Button } from "./Button.tsx";

describe("a button that is busy", () => {
  function drawn(isBusy: boolean) {
    const pressed = vi.fn();
    const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    const form = (busy: boolean) => (
      <form onSubmit={submitted}>
        <input aria-label="Name" />
        <Button type="submit" variant="main" isBusy={busy} onClick={pressed}>
          SEND
        </Button>
      </form>
    );
    const { rerender } = render(form(isBusy));
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "SEND" });
    return { button, pressed, submitted, setBusy: (busy: boolean) => rerender(form(busy)) };
  }

  it("keeps the focus of whoever pressed it, and says that it is unavailable", async () => {
    const { button, setBusy } = drawn(false);
    await userEvent.click(button);
    setBusy(true);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(button.disabled).toBe(false);
    setBusy(false);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute("aria-disabled")).toBe("false");
  });

  it("does nothing when it is pressed, and nothing for Enter in a field of its form", async () => {
    const { button, pressed, submitted, setBusy } = drawn(true);
    await userEvent.click(button);
    await userEvent.type(screen.getByLabelText("Name"), "Ada{Enter}");
    button.focus();
    await userEvent.keyboard("{Enter} ");
    expect(pressed).not.toHaveBeenCalled();
    expect(submitted).not.toHaveBeenCalled();
    setBusy(false);
    await userEvent.click(button);
    expect(pressed).toHaveBeenCalledOnce();
    expect(submitted).toHaveBeenCalledOnce();
  });

  it("is told apart by its variant alone, and submits nothing unless it is there for that", () => {
    render(<Button className="flex-none">CLOSE</Button>);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "CLOSE" });
    expect(button.type).toBe("button");
    expect(button.className).toBe("button flex-none");
    expect(button.hasAttribute("aria-disabled")).toBe(false);
  });
});
