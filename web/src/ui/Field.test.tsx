import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { EmailField, Field, PasswordField, ProblemsTogether, UsernameField } from "./Field.tsx";
import { Notice } from "./Notice.tsx";
import { SearchInput } from "./SearchInput.tsx";

it("a password is shown and hidden by a button whose name alone says which", async () => {
  render(<PasswordField label="Password" />);
  const button = screen.getByRole("button", { name: "SHOW PASSWORD" });
  // A state beside a changing name would mean the opposite: "hide, pressed".
  expect(button.hasAttribute("aria-pressed")).toBe(false);
  await userEvent.click(button);
  expect(screen.getByRole("button", { name: "HIDE PASSWORD" })).toBe(button);
});

it("phones correct no field whose spelling is not checked", async () => {
  render(
    <>
      <Field label="Title" />
      <UsernameField />
      <PasswordField label="Password" />
      <SearchInput label="Search" search={{ typed: "", setTyped: () => undefined }} />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "SHOW PASSWORD" }));
  const isCorrected = (label: string) =>
    screen.getByLabelText(label).getAttribute("autocorrect") !== "off";
  expect(["Title", "Username", "Password", "Search"].filter(isCorrected)).toEqual(["Title"]);
});

it("a problem is heard once where a list says all of them", () => {
  const { rerender } = render(<Field label="Title" error="Title is required" />);
  expect(screen.getByRole("alert").textContent).toBe("Title is required");
  rerender(
    <ProblemsTogether value={true}>
      <Field label="Title" error="Title is required" />
    </ProblemsTogether>,
  );
  expect(screen.queryByRole("alert")).toBeNull();
  const described = screen.getByLabelText("Title").getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(described)?.textContent).toBe("Title is required");
});

it("a notice's region stands before it speaks", () => {
  const { rerender } = render(<Notice>{false}</Notice>);
  const region = screen.getByRole("status");
  expect(region.textContent).toBe("");
  rerender(<Notice>NO RELEASES FOUND</Notice>);
  expect(screen.getByRole("status")).toBe(region);
  expect(region.textContent).toBe("NO RELEASES FOUND");
});

it("text from right to left is written from the right", () => {
  render(
    <>
      <Field label="Name" />
      <EmailField />
    </>,
  );
  expect(screen.getByLabelText("Name").dir).toBe("auto");
  expect(screen.getByLabelText("Email").dir, "an address is not turned round").toBe("ltr");
});
