import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answerCall, breakCall, refuseCall, seeAs } from "../../testing/calls.ts";
import { aMember, VISITOR } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import type { LinkView } from "./link/LinkQuestion.tsx";
import { dropMailedLink } from "./mailedLink.ts";

const CONFIRMED = { status: "confirmed", username: "mira_404", session: null };
const IN_PLACE = { ...CONFIRMED, session: aMember() };

/** Sets the preview of the link; by default this browser asked for it. */
function seeLink(changes: Partial<LinkView> = {}) {
  return answerCall("post", "/api/auth/link", {
    type: "signup",
    used: false,
    email: "m***@example.org",
    asked_here: true,
    signed_in_as_other: false,
    ...changes,
  });
}

beforeEach(() => {
  // Timers are advanced by hand, and also by themselves so that queries can wait.
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  dropMailedLink();
  vi.useRealTimers();
});

function expectFocusOn(text: string) {
  expect(document.activeElement).toBe(screen.getByText(text).closest("[role=status]"));
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("a confirmation link", () => {
  it("is out of the address bar before it is redeemed, and leads to the welcome after two seconds", async () => {
    const looked = seeLink();
    const heard = answerCall("post", "/api/auth/confirm", IN_PLACE);
    const { router } = renderPath("/auth/callback#type=signup&token=q9Zk-_x");
    await waitFor(() => expect(router.state.location.href).toBe("/auth/callback"));
    expect(router.history.location.href).toBe("/auth/callback");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(looked.map(({ body }) => body)).toEqual([{ type: "signup", token: "q9Zk-_x" }]);
    expect(heard.map(({ body }) => body)).toEqual([{ token: "q9Zk-_x" }]);
    await pass(1_500);
    expect(router.state.location.pathname).toBe("/auth/callback");
    await pass(600);
    expect(router.state.location.pathname).toBe("/auth/welcome");
    expect(await screen.findByText("Welcome, mira!")).toBeTruthy();
  });

  it("ends the wait of the sign-up page in other tabs with the confirmation", async () => {
    localStorage.setItem("deadwax.signup", JSON.stringify({ success: true }));
    seeLink();
    answerCall("post", "/api/auth/confirm", IN_PLACE);
    renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(localStorage.getItem("deadwax.signup")).toContain('"confirmed":true');
    localStorage.clear();
  });

  it("is redeemed only after the sign-out that the server is owed", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    localStorage.setItem("deadwax.sign-out-owed", "true");
    breakCall("post", "/api/auth/sign-out");
    seeLink();
    const heard = answerCall("post", "/api/auth/confirm", IN_PLACE);
    renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByRole("button", { name: "Resend Confirmation" })).toBeTruthy();
    expect(heard).toEqual([]);
    localStorage.clear();
  });

  it("in a browser that did not ask for it waits for a key, names the masked address, and signs nobody in", async () => {
    seeLink({ asked_here: false });
    const heard = answerCall("post", "/api/auth/confirm", CONFIRMED);
    const { user, router } = renderPath("/auth/callback#type=signup&token=abc");
    const key = await screen.findByRole("button", { name: "Confirm" });
    expect(screen.getByText("m***@example.org")).toBeTruthy();
    await pass(5_000);
    expect(heard).toEqual([]);
    await user.click(key);
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expect(screen.getByText("You can log in now.")).toBeTruthy();
    expectFocusOn("Email confirmed!");
    expect(screen.getByRole("main").querySelector('a[href="/?dialog=login"]')?.textContent).toBe(
      "LOGIN",
    );
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
    await pass(5_000);
    expect(router.state.location.pathname).toBe("/auth/callback");
  });

  it.each([true, false])(
    "asks first where somebody else is signed in, asked here: %s",
    async (asked_here) => {
      seeAs(aMember());
      seeLink({ asked_here, signed_in_as_other: true });
      const heard = answerCall("post", "/api/auth/confirm", CONFIRMED);
      const { user } = renderPath("/auth/callback#type=signup&token=abc");
      const key = await screen.findByRole("button", { name: "Confirm" });
      expect(await screen.findByText("mira@example.org")).toBeTruthy();
      expect(heard).toEqual([]);
      await user.click(key);
      expect(await screen.findByText(/Log out to use the new account/)).toBeTruthy();
    },
  );

  it("that was spent says so, and leads home", async () => {
    seeLink({ used: true, asked_here: false });
    const { router } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("Your email is already confirmed.")).toBeTruthy();
    expectFocusOn("Your email is already confirmed.");
    await pass(2_100);
    expect(router.state.location.pathname).toBe("/");
  });

  it("does not tear away who has gone elsewhere", async () => {
    seeLink();
    answerCall("post", "/api/auth/confirm", IN_PLACE);
    const { router, user } = renderPath("/auth/callback#type=signup&token=abc");
    await screen.findByText("Email confirmed!");
    await user.click(
      within(screen.getByRole("navigation", { name: "Main" })).getByRole("link", { name: "STORE" }),
    );
    await screen.findByText("COMING SOON");
    await pass(5_000);
    expect(router.state.location.pathname).toBe("/store");
  });

  it("that expired shows the words of the service", async () => {
    const detail = "Invalid confirmation link or expired token";
    refuseCall("post", "/api/auth/link", 422, { code: "otp_expired", detail });
    const { router } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText(detail)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Return Home" }).getAttribute("href")).toBe("/");
    await pass(5_000);
    expect(router.state.location.pathname).toBe("/auth/callback");
  });

  it("without an answer is an unexpected error", async () => {
    breakCall("post", "/api/auth/link");
    renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("An unexpected error occurred")).toBeTruthy();
  });

  it("with an error in it shows the error as text and redeems nothing", async () => {
    const heard = answerCall("post", "/api/auth/confirm", CONFIRMED);
    renderPath("/auth/callback#type=signup&token=abc&error_description=%3Cb%3Egone%3C/b%3E");
    expect(await screen.findByText("<b>gone</b>")).toBeTruthy();
    expect(heard).toEqual([]);
  });

  it("takes an error from the query too", async () => {
    renderPath("/auth/callback?error_description=Email+link+is+invalid");
    expect(await screen.findByText("Email link is invalid")).toBeTruthy();
  });
});

describe("the page without a link", () => {
  it.each([
    ["", "An unexpected error occurred"],
    ["?error_description=Link+expired", "Link expired"],
  ])("ends in an error where the session cannot be read (%s)", async (query, said) => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    breakCall("get", "/api/auth/session");
    renderPath(`/auth/callback${query}`);
    expect(await screen.findByText(said)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Resend Confirmation" })).toBeTruthy();
  });

  it("is an invalid link to a visitor", async () => {
    renderPath("/auth/callback");
    expect(await screen.findByText("Invalid confirmation link or expired token")).toBeTruthy();
  });

  it("has nothing left to confirm for who is signed in", async () => {
    seeAs(aMember());
    const { router } = renderPath("/auth/callback");
    expect(await screen.findByText("Your email is already confirmed.")).toBeTruthy();
    await pass(2_100);
    expect(router.state.location.pathname).toBe("/");
  });
});

describe("Resend Confirmation", () => {
  async function press(address: string | null) {
    vi.stubGlobal(
      "prompt",
      vi.fn(() => address),
    );
    vi.stubGlobal("alert", vi.fn());
    const { user } = renderPath("/auth/callback");
    await user.click(await screen.findByRole("button", { name: "Resend Confirmation" }));
  }

  it("asks by the browser's prompt and answers by its alert", async () => {
    const heard = answerCall("post", "/api/auth/resend", {});
    await press(" mira@example.org ");
    await waitFor(() =>
      expect(window.alert).toHaveBeenCalledWith("Confirmation email sent! Check your inbox."),
    );
    expect(heard[0]?.body).toEqual({
      email: "mira@example.org",
      type: "signup",
      redirect_to: `${window.location.origin}/auth/callback`,
    });
  });

  it("says that it failed", async () => {
    refuseCall("post", "/api/auth/resend", 429, { code: "rate_limited", retry_after: 60 });
    await press("mira@example.org");
    await waitFor(() =>
      expect(window.alert).toHaveBeenCalledWith("Failed to resend confirmation email"),
    );
  });

  it.each([null, "", "  "])("sends nothing for %j", async (address) => {
    await press(address);
    expect(window.alert).not.toHaveBeenCalled();
  });
});

describe("a confirmation link that is still good", () => {
  it("is asked for once more after a reload, and not called invalid", async () => {
    const { router } = renderPath("/");
    await act(() => router.navigate({ to: "/auth/callback", state: { mailedLink: "signup" } }));
    expect(await screen.findByText(/open the link in the mail once more/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Resend Confirmation" })).toBeTruthy();
    expect(screen.queryByText(/Invalid confirmation link/)).toBeNull();
  });

  it("can be tried again where nothing answered", async () => {
    breakCall("post", "/api/auth/link");
    const { user } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("An unexpected error occurred")).toBeTruthy();
    seeLink();
    const heard = answerCall("post", "/api/auth/confirm", IN_PLACE);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
    expectFocusOn("Email confirmed!");
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it.each([429, 500, 503])("can be tried again after status %i", async (status) => {
    seeLink();
    refuseCall("post", "/api/auth/confirm", status, { code: "busy", detail: "Later, please." });
    const { user } = renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText("Later, please.")).toBeTruthy();
    answerCall("post", "/api/auth/confirm", IN_PLACE);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Email confirmed!")).toBeTruthy();
  });

  it("is not tried again where the service has refused it", async () => {
    const detail = "Invalid confirmation link or expired token";
    refuseCall("post", "/api/auth/link", 422, { code: "otp_expired", detail });
    renderPath("/auth/callback#type=signup&token=abc");
    expect(await screen.findByText(detail)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});

describe("a link that objects", () => {
  it("to a sign-up asks for one click, then says what was done", async () => {
    const heard = answerCall("post", "/api/auth/not-me", { voided: true });
    const { router, user } = renderPath("/auth/callback#type=not_me&token=abc");
    const key = await screen.findByRole("button", { name: "This was not me" });
    expect(router.state.location.href).toBe("/auth/callback");
    expect(heard).toEqual([]);
    await user.click(key);
    const done = await screen.findByText(/That sign-up is void/);
    expect(document.activeElement).toBe(done);
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it("to a sign-up that is confirmed by now claims nothing, and says how to take the account over", async () => {
    answerCall("post", "/api/auth/not-me", { voided: false });
    const { user } = renderPath("/auth/callback#type=not_me&token=abc");
    await user.click(await screen.findByRole("button", { name: "This was not me" }));
    const said = await screen.findByText(/nothing left to make void/);
    expect(said.textContent).toContain("LOGIN, then Forgot password?");
    expect(screen.queryByText(/Done/)).toBeNull();
  });

  it("to a change of address too, and shows why it could not", async () => {
    const detail = "Invalid confirmation link or expired token";
    refuseCall("post", "/api/auth/email-change/cancel", 422, { code: "otp_expired", detail });
    const { user } = renderPath("/auth/callback#type=email_change_cancel&token=abc");
    await user.click(await screen.findByRole("button", { name: "Keep my address" }));
    expect(await screen.findByText(detail)).toBeTruthy();
    answerCall("post", "/api/auth/email-change/cancel", {});
    await user.click(screen.getByRole("button", { name: "Keep my address" }));
    expect(await screen.findByText(/The change is cancelled/)).toBeTruthy();
  });
});

it.each([
  ["email_change_cancel", "Keep my address"],
  ["email_change_undo", "Put my address back"],
  ["two_factor_undo", "Take my account back"],
])(
  "an objection (%s) that was used by a call without an answer says where to go on",
  async (type, name) => {
    breakCall("post", "/api/auth/email-change/cancel");
    const { user } = renderPath(`/auth/callback#type=${type}&token=abc`);
    const key = await screen.findByRole("button", { name });
    await user.click(key);
    await screen.findByText("An unexpected error occurred");
    expect(screen.queryByText(/If you used this link before/)).toBeNull();
    const detail = "Invalid confirmation link or expired token";
    refuseCall("post", "/api/auth/email-change/cancel", 422, { code: "otp_expired", detail });
    await user.click(key);
    const said = await screen.findByText(/If you used this link before/);
    expect(said.textContent).toContain("A mail with a link to a new password");
  },
);

describe("the objection to a change of address that was made", () => {
  it("puts the old one back on a click, and says what comes next", async () => {
    const heard = answerCall("post", "/api/auth/email-change/cancel", {});
    const { user } = renderPath("/auth/callback#type=email_change_undo&token=abc");
    const key = await screen.findByRole("button", { name: "Put my address back" });
    expect(heard).toEqual([]);
    await user.click(key);
    expect(await screen.findByText(/has this address again/)).toBeTruthy();
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });
});

describe("the objection to a second factor", () => {
  it("takes the account back on a click, and says where the link to a new password is", async () => {
    const heard = answerCall("post", "/api/auth/email-change/cancel", {});
    const { user } = renderPath("/auth/callback#type=two_factor_undo&token=abc");
    const key = await screen.findByRole("button", { name: "Take my account back" });
    expect(heard).toEqual([]);
    await user.click(key);
    const said = await screen.findByText(/Your account is yours again/);
    expect(said.textContent).toContain("A mail with a link to a new password");
    expect(heard.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });
});

describe("an objection whose page is loaded anew", () => {
  it.each([VISITOR, aMember()])(
    "asks for the link once more, and says nothing else",
    async (who) => {
      seeAs(who);
      const heard = answerCall("post", "/api/auth/email-change/cancel", {});
      const { router } = renderPath("/auth/callback#type=email_change_undo&token=abc");
      expect(await screen.findByRole("button", { name: "Put my address back" })).toBeTruthy();
      expect(JSON.stringify(router.state.location)).not.toContain("abc");
      // Forgets what a reload would.
      act(() => dropMailedLink());
      expect(await screen.findByText(/open the link in the mail once more/)).toBeTruthy();
      expect(screen.getByRole("heading", { level: 1, name: "NOT YOU?" })).toBeTruthy();
      await pass(5_000);
      expect(router.state.location.pathname).toBe("/auth/callback");
      expect(heard).toEqual([]);
    },
  );
});

describe("the welcome", () => {
  it.each([
    ["mira_404", { username: "mira_404", full_name: null }, "mira@example.org"],
    ["mira", { username: null, full_name: null }, "mira@example.org"],
  ])("greets %s and leads home after five seconds", async (name, user_metadata, email) => {
    const session = aMember();
    if (session.user) session.user = { ...session.user, user_metadata, email };
    seeAs(session);
    const { router } = renderPath("/auth/welcome");
    expect(await screen.findByText(`Welcome, ${name}!`)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Explore Releases" }).getAttribute("href")).toBe(
      "/releases",
    );
    expect(screen.getByRole("button", { name: "Go To Home" }).getAttribute("href")).toBe("/");
    await pass(4_000);
    expect(router.state.location.pathname).toBe("/auth/welcome");
    await pass(1_500);
    expect(router.state.location.pathname).toBe("/");
  });

  it("lets go whoever has followed a link meanwhile", async () => {
    const { router } = renderPath("/auth/welcome");
    await screen.findByText("Welcome, User!");
    const followed = router.latestLocation;
    router.latestLocation = { ...followed, pathname: "/store" };
    await pass(5_500);
    expect(router.state.location.pathname).toBe("/auth/welcome");
    router.latestLocation = followed;
  });

  it("takes an open dialog along when it leads home", async () => {
    const { router } = renderPath("/auth/welcome?dialog=demo");
    expect(await screen.findByRole("dialog", { name: "SUBMIT A DEMO" })).toBeTruthy();
    await pass(5_500);
    expect(router.state.location.href).toBe("/?dialog=demo");
    expect(screen.getByRole("dialog", { name: "SUBMIT A DEMO" })).toBeTruthy();
  });

  it("greets who has no session in this browser as User", async () => {
    renderPath("/auth/welcome");
    expect(await screen.findByText("Welcome, User!")).toBeTruthy();
  });
});
