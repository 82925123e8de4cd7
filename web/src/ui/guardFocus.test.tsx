import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { describe, expect, it } from "vitest";

type Button = "there" | "disabled" | "gone";

/** A button that a press removes, or disables. */
function Pressed({ after = "gone", place }: { after?: Button; place?: ReactNode }) {
  const [button, set] = useState<Button>("there");
  return (
    <>
      {button === "gone" ? (
        place
      ) : (
        <button type="button" disabled={button === "disabled"} onClick={() => set(after)}>
          Save
        </button>
      )}
      <button type="button" onClick={() => set("gone")}>
        Elsewhere
      </button>
    </>
  );
}

const press = (name = "Save") => userEvent.click(screen.getByRole("button", { name }));

const name = <input aria-label="Name" data-focus-home />;

async function expectFocus(element: () => HTMLElement): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element()));
}

describe("the focus of a button", () => {
  it("that goes by its own press moves to the nearest home", async () => {
    render(
      <>
        <input aria-label="Far" data-focus-home />
        <section>
          {name}
          <Pressed />
        </section>
      </>,
    );
    await press();
    await expectFocus(() => screen.getByLabelText("Name"));
  });

  it("that is disabled by its own press moves there too", async () => {
    render(
      <section>
        {name}
        <Pressed after="disabled" />
      </section>,
    );
    await press();
    await expectFocus(() => screen.getByLabelText("Name"));
  });

  it("prefers what takes the button's place", async () => {
    render(
      <section>
        {name}
        <Pressed place={<input aria-label="In its place" data-focus-home />} />
      </section>,
    );
    await press();
    await expectFocus(() => screen.getByLabelText("In its place"));
  });

  it("stays where the person has moved it", async () => {
    render(
      <section>
        {name}
        <Pressed />
      </section>,
    );
    screen.getByRole("button", { name: "Save" }).focus();
    await press("Elsewhere");
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Elsewhere" }));
  });

  it("does not leave a row that stays", async () => {
    render(
      <section>
        {name}
        <ul>
          <li>
            <Pressed />
          </li>
        </ul>
      </section>,
    );
    await press();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Save" })).toBeNull());
    expect(document.activeElement).toBe(document.body);
  });
});

function Rows() {
  const [rows, setRows] = useState(["One", "Two", "Three"]);
  return (
    <section>
      <h2 tabIndex={-1} data-focus-home>
        Rows
      </h2>
      <ul>
        {rows.map((row) => (
          <li key={row} tabIndex={-1} data-focus-home aria-label={row}>
            <button type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
              Delete {row}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

describe("the focus of a row that is deleted", () => {
  it("moves to the row in its place, then to the one before, then to the heading", async () => {
    render(<Rows />);
    await press("Delete Two");
    await expectFocus(() => screen.getByRole("listitem", { name: "Three" }));
    await press("Delete Three");
    await expectFocus(() => screen.getByRole("listitem", { name: "One" }));
    await press("Delete One");
    await expectFocus(() => screen.getByRole("heading", { name: "Rows" }));
  });
});

function Page() {
  const [isNext, setNext] = useState(false);
  return (
    <main>
      <h1>{isNext ? "Next" : "First"}</h1>
      {isNext ? (
        <p>Done</p>
      ) : (
        <div>
          <button type="button" onClick={() => setNext(true)}>
            Go on
          </button>
        </div>
      )}
    </main>
  );
}

describe("the focus of a page whose content is replaced", () => {
  it("moves to its heading", async () => {
    render(<Page />);
    await press("Go on");
    await expectFocus(() => screen.getByRole("heading", { name: "Next" }));
  });
});
