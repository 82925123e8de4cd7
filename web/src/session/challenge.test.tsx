import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { call } from "../api/client.ts";
import { answerCall, refuseCall, seeAs } from "../testing/calls.ts";
import { server } from "../testing/fakeApi.ts";
import { hearFromOtherTab } from "../testing/otherTab.ts";
import { aMember, aPendingMember, VISITOR } from "../testing/people.ts";
import { renderPath } from "../testing/renderPath.tsx";
import { ChallengeCancelled, withChallenges } from "./challenge.ts";

const CALL = "/api/auth/password";
const body = { password: "a new one", confirm_password: "a new one" };
const make = () => withChallenges(() => call("PUT", CALL, { body }), "do it");

/** Refuses the call once with this code. */
function refuseOnce(code: string) {
  let calls = 0;
  server.use(
    http.put(`*${CALL}`, () => {
      calls += 1;
      return calls === 1
        ? HttpResponse.json({ code, status: 403 }, { status: 403 })
        : HttpResponse.json({ done: true });
    }),
  );
}

async function open() {
  seeAs(aMember());
  const app = renderPath("/store");
  await screen.findByRole("button", { name: "Account menu" });
  return app;
}

describe("a call that wants the password again", () => {
  it("asks for it and is made once more", async () => {
    const { user } = await open();
    refuseOnce("reauthentication_needed");
    const heard = answerCall("post", "/api/auth/reauthenticate", { ...aMember() });
    const outcome = make();
    const dialog = await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    await user.type(screen.getByLabelText("Password"), "my password{Enter}");
    expect(await outcome).toEqual({ done: true });
    expect(heard).toEqual([{ body: { password: "my password" } }]);
    await waitFor(() => expect(dialog.isConnected).toBe(false));
  });

  it("is dropped where its page is left, or its person is another", async () => {
    const { router } = await open();
    refuseOnce("reauthentication_needed");
    const left = make().catch((error: unknown) => error);
    await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    await router.navigate({ to: "/contact" });
    expect(await left).toBeInstanceOf(ChallengeCancelled);
    expect(screen.queryByRole("dialog", { name: "CONFIRM PASSWORD" })).toBeNull();

    refuseOnce("reauthentication_needed");
    const stranger = make().catch((error: unknown) => error);
    await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    seeAs(VISITOR);
    hearFromOtherTab({ kind: "signed_out", left: undefined });
    expect(await stranger).toBeInstanceOf(ChallengeCancelled);
  });

  it("says when the password was wrong, and keeps asking", async () => {
    const { user } = await open();
    refuseOnce("reauthentication_needed");
    refuseCall("post", "/api/auth/reauthenticate", 401, {
      code: "invalid_credentials",
      detail: "This is not the password of your account.",
    });
    const outcome = make();
    await user.type(await screen.findByLabelText("Password"), "a wrong one{Enter}");
    await screen.findByText("This is not the password of your account.");
    await screen.findByText("To do it, enter the password of your account once more.");
    answerCall("post", "/api/auth/reauthenticate", { ...aMember() });
    await user.keyboard("{Enter}");
    expect(await outcome).toEqual({ done: true });
  });

  it("is given up when the person closes the question", async () => {
    const { user } = await open();
    refuseOnce("reauthentication_needed");
    const outcome = make();
    outcome.catch(() => undefined);
    await screen.findByRole("dialog", { name: "CONFIRM PASSWORD" });
    await user.keyboard("{Escape}");
    await expect(outcome).rejects.toBeInstanceOf(ChallengeCancelled);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each(["reauthentication_needed", "mfa_verification_needed"])(
    "(%s) leaves the reading position where it was asked from",
    async (code) => {
      const { user } = await open();
      const asker = screen.getByRole("button", { name: "Account menu" });
      asker.focus();
      refuseOnce(code);
      make().catch(() => undefined);
      const dialog = await screen.findByRole("dialog");
      await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
      await user.keyboard("{Escape}");
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      await waitFor(() => expect(document.activeElement === asker).toBe(true), { timeout: 1_000 });
    },
  );
});

describe("a call that wants the second factor", () => {
  it.each(["mfa_required", "mfa_verification_needed"])(
    "(%s) asks for it and is made once more",
    async (code) => {
      const { user } = await open();
      refuseOnce(code);
      answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
      const outcome = make();
      await user.type(await screen.findByLabelText("Verification code"), "123456{Enter}");
      await expect(outcome).resolves.toEqual({ done: true });
    },
  );
});

describe("the question for the second factor", () => {
  it("has been answered once the code was right, also where it is closed at once", async () => {
    const { user } = await open();
    refuseOnce("mfa_verification_needed");
    answerCall("post", "/api/auth/mfa-operations", { status: "ok", code: "ok", message: "" });
    const outcome = make();
    await user.type(await screen.findByLabelText("Verification code"), "123456{Enter}");
    await screen.findByText("Verification successful!");
    await user.keyboard("{Escape}");
    await expect(outcome).resolves.toEqual({ done: true });
  });
});

describe("a call that is refused for another reason", () => {
  it("asks nothing", async () => {
    await open();
    seeAs(aPendingMember());
    refuseCall("put", CALL, 403, { code: "forbidden", detail: "No." });
    await expect(make()).rejects.toMatchObject({ code: "forbidden", message: "No." });
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
