import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { useFocusKept } from "./useFocusKept.ts";

type Keys = "there" | "disabled" | "gone";

function Form({ onDrawn }: { onDrawn: (set: (keys: Keys) => void) => void }) {
  const { frame, refuge } = useFocusKept();
  const [keys, setKeys] = useState<Keys>("there");
  onDrawn(setKeys);
  return (
    <>
      <div ref={frame}>
        <input ref={refuge} aria-label="Name" />
        {keys !== "gone" && (
          <button type="button" disabled={keys === "disabled"} onClick={() => setKeys("gone")}>
            Save
          </button>
        )}
      </div>
      <button type="button" onClick={() => setKeys("gone")}>
        Elsewhere
      </button>
    </>
  );
}

function drawn() {
  let set: (keys: Keys) => void = () => {};
  render(
    <Form
      onDrawn={(given) => {
        set = given;
      }}
    />,
  );
  return {
    set: (keys: Keys) => set(keys),
    save: () => screen.getByRole("button", { name: "Save" }),
  };
}

const name = () => screen.getByLabelText("Name");

describe("the focus of a key", () => {
  it("that goes by its own press is led on", async () => {
    const { save } = drawn();
    await userEvent.click(save());
    expect(document.activeElement).toBe(name());
  });

  it("that is disabled is led on", async () => {
    const { save, set } = drawn();
    save().focus();
    set("disabled");
    await expect.poll(() => document.activeElement).toBe(name());
  });

  it("stays with whoever is somewhere else by then", async () => {
    const { save } = drawn();
    save().focus();
    const elsewhere = screen.getByRole("button", { name: "Elsewhere" });
    await userEvent.click(elsewhere);
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    expect(document.activeElement).toBe(elsewhere);
  });
});
