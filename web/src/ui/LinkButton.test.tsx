import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderPath } from "../testing/renderPath.tsx";

it.each(["{Enter}", " "])(
  "a way that is a button is pressed by %j, and is an address",
  async (key) => {
    const { user, router } = renderPath("/auth/signup-success");
    const home = await screen.findByRole("button", { name: "Return Home" });
    expect(home.getAttribute("href")).toBe("/");
    home.focus();
    await user.keyboard(key);
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  },
);
