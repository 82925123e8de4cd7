// Confirmation where the rules cannot be loaded: the server's answers are enough.
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, refuseCall } from "../../testing/calls.ts";
import { aMember } from "../../testing/people.ts";
import { openProfileTo } from "../../testing/profile.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { dropMailedLink } from "./mailedLink.ts";

vi.mock("#rules-wasm", () => {
  throw new Error("no WebAssembly here");
});

const LINK = {
  type: "signup",
  used: false,
  email: "m***@example.org",
  asked_here: true,
  signed_in_as_other: false,
};
const DETAIL = "Invalid confirmation link or expired token";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  // The page first: without its link it would ask the server for words.
  cleanup();
  dropMailedLink();
  vi.useRealTimers();
});

describe("without the rules", () => {
  it("the browser that signed up confirms and is taken in", async () => {
    answerCall("post", "/api/auth/link", LINK);
    const session = aMember();
    const heard = answerCall("post", "/api/auth/confirm", {
      status: "confirmed",
      username: "mira",
      session,
    });
    const { router } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
    await vi.advanceTimersByTimeAsync(2_100);
    // Until it has got there: on leaving, the page drops its link, which would be the next test's.
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe("/auth/welcome"));
  });

  it("any other browser asks first", async () => {
    answerCall("post", "/api/auth/link", { ...LINK, asked_here: false });
    answerCall("post", "/api/auth/confirm", {
      status: "confirmed",
      username: "mira",
      session: null,
    });
    const { user } = renderPath("/auth/callback#type=signup&token=abc");
    await user.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("You can log in now.")).toBeTruthy();
  });

  it("a link that is none has the words of the server", async () => {
    refuseCall("post", "/api/auth/link", 422, { code: "otp_expired", detail: DETAIL });
    renderPath("/auth/callback");
    expect(await screen.findByText(DETAIL)).toBeTruthy();
  });

  it("an error in the address is shown as text, cut like everywhere", async () => {
    renderPath(`/auth/callback#error_description=${"x".repeat(300)}`);
    expect(await screen.findByText("x".repeat(200))).toBeTruthy();
  });

  it("a reset link leads to the new password", async () => {
    openProfileTo();
    answerCall("post", "/api/auth/link", { ...LINK, type: "recovery" });
    answerCall("post", "/api/auth/reset", aMember());
    renderPath("/profile#type=recovery&token=abc");
    expect(await screen.findByLabelText("New Password")).toBeTruthy();
  });
});
