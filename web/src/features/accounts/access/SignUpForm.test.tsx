import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerCall, holdCall } from "../../../testing/calls.ts";
import { renderPath } from "../../../testing/renderPath.tsx";

it("leads nobody away who has closed the dialog while the sign-up was answered", async () => {
  answerCall("post", "/api/auth/sign-up", { confirmation_required: true });
  const letGo = holdCall("post", "/api/auth/sign-up");
  const { user, router } = renderPath("/store?dialog=login");
  const dialog = within(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" }));
  await user.click(dialog.getByRole("tab", { name: "SIGN UP" }));
  const form = within(dialog.getByRole("form", { name: "Sign up" }));
  await user.type(form.getByLabelText("Full name"), "Mira Vale");
  await user.type(form.getByLabelText("Email"), "mira@example.org");
  await user.type(form.getByLabelText("Username"), "mira_404");
  await user.type(form.getByLabelText("Password"), "sixsix{Enter}");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  letGo();
  await new Promise((wake) => setTimeout(wake, 100));
  expect(router.state.location.pathname).toBe("/store");
});
