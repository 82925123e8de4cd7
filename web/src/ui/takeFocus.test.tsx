import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { takeFocus, takeFocusIn } from "./takeFocus.ts";

const page = (
  <main tabIndex={-1}>
    <h1 tabIndex={-1}>Page</h1>
    <button type="button">Elsewhere</button>
    <button type="button" aria-disabled="true">
      Busy
    </button>
    <section tabIndex={-1} aria-label="Around">
      <form aria-label="Form">
        <input hidden readOnly value="name" />
        <input aria-label="Place" />
      </form>
    </section>
  </main>
);

const place = () => screen.getByLabelText("Place");

it("the focus is left where the person has moved it", () => {
  render(page);
  const elsewhere = screen.getByRole("button", { name: "Elsewhere" });
  elsewhere.focus();
  takeFocus(place());
  takeFocusIn(screen.getByRole<HTMLFormElement>("form"));
  expect(document.activeElement).toBe(elsewhere);
});

it.each([
  ["nowhere", () => document.body],
  ["on the page", () => screen.getByRole("main")],
  ["on its heading", () => screen.getByRole("heading")],
  ["on what is around the place", () => screen.getByRole("region")],
  ["on a busy button", () => screen.getByRole("button", { name: "Busy" })],
])("the focus is taken where it is %s", (_, from) => {
  render(page);
  from().focus();
  takeFocus(place());
  expect(document.activeElement).toBe(place());
});

it("the focus is taken from under a dialog that has opened", () => {
  render(
    <>
      {page}
      <div data-modal role="dialog">
        <input aria-label="Code" />
      </div>
    </>,
  );
  place().focus();
  takeFocus(screen.getByLabelText("Code"));
  expect(document.activeElement).toBe(screen.getByLabelText("Code"));
});

it("a form gives it to the first field to be seen", () => {
  render(page);
  takeFocusIn(screen.getByRole<HTMLFormElement>("form"));
  expect(document.activeElement).toBe(place());
});
