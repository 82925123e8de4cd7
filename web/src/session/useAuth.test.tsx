import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { act } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "../app/queryClient.ts";
import { LOGIN_UNREACHABLE } from "../rules/generated/constants.ts";
import { answerCall, breakCall, refuseCall, seeAs } from "../testing/calls.ts";
import { refuse, server } from "../testing/fakeApi.ts";
import { hearFromOtherTab } from "../testing/otherTab.ts";
import { aMember, anAdmin, aPendingAdmin, VISITOR } from "../testing/people.ts";
import { takeToasts } from "../ui/toasts/toastQueue.ts";
import { heldSession } from "./sessionQuery.ts";
import { followTabs, tellTabs } from "./tabs.ts";
import { useAuth } from "./useAuth.ts";

function watch() {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { client, auth: renderHook(useAuth, { wrapper }).result };
}

const verifiedAdmin = () =>
  anAdmin({ mfaRequired: true, mfa_verified: true, mfa_verified_until: "2099-01-01T00:00:00Z" });

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

describe("the auth state", () => {
  it("is loading until the server has said who is here", async () => {
    const { auth } = watch();
    expect(auth.current).toMatchObject({ loading: true, user: null, authStage: "unauthenticated" });
    await waitFor(() => expect(auth.current.loading).toBe(false));
    expect(auth.current).toMatchObject({ user: null, session: null, isAdmin: false });
  });

  it("has a user and no admin stage for an ordinary member", async () => {
    seeAs(aMember());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user?.email).toBe("mira@example.org"));
    expect(auth.current).toMatchObject({
      isAdmin: false,
      mfaRequired: false,
      mfaVerified: false,
      authStage: "unauthenticated",
    });
  });

  it("keeps the verified flag and its time for the session, and clears both once they do not count", async () => {
    seeAs(verifiedAdmin());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.mfaVerified).toBe(true));
    expect(auth.current).toMatchObject({ authStage: "authenticated", mfaRequired: false });
    expect(sessionStorage.getItem("mfa_verified")).toBe("true");
    expect(Number(sessionStorage.getItem("mfa_verified_timestamp"))).toBeGreaterThan(0);
    seeAs(aPendingAdmin());
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.authStage).toBe("mfa_pending"));
    expect(auth.current).toMatchObject({ isAdmin: true, mfaRequired: true, mfaVerified: false });
    expect(sessionStorage.length).toBe(0);
  });

  it("falls back to unauthenticated while the check fails, which is logged, and recovers", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(verifiedAdmin());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.isAdmin).toBe(true));
    server.use(http.get("*/api/auth/session", () => new HttpResponse(null, { status: 503 })));
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.isAdmin).toBe(false));
    expect(auth.current).toMatchObject({ authStage: "unauthenticated", mfaVerified: false });
    expect(sessionStorage.length).toBe(0);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining("/api/auth/session"));
    seeAs(verifiedAdmin());
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.authStage).toBe("authenticated"));
  });

  it("remembers what was last answered while the check fails: a check that was not asked is no answer", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(verifiedAdmin());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.isAdmin).toBe(true));
    server.use(http.get("*/api/auth/session", () => HttpResponse.error()));
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.isFailing).toBe(true));
    expect(auth.current).toMatchObject({
      isAdmin: false,
      lastKnown: { isAdmin: true, authStage: "authenticated", mfaSetupRequired: false },
      loading: false,
    });
    expect(auth.current.user?.email).toBe("mira@example.org");
    seeAs(VISITOR);
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.user).toBeNull());
    expect(auth.current.lastKnown).toEqual({
      isAdmin: false,
      authStage: "unauthenticated",
      mfaSetupRequired: false,
    });
  });

  it("says neither who is here nor that nobody is while the first check fails", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    refuse("/api/auth/session" as never, 500);
    const { auth } = watch();
    await waitFor(() => expect(auth.current.isFailing).toBe(true));
    expect(auth.current).toMatchObject({
      loading: true,
      user: null,
      isAdmin: false,
      authStage: "unauthenticated",
    });
  });
});

describe("signing out", () => {
  it("drops the person, the flags and what only they may see", async () => {
    seeAs(verifiedAdmin());
    const heard = answerCall("post", "/api/auth/sign-out", {});
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    client.setQueryData(["/api/profile"], { username: "mira" });
    client.setQueryData(["/api/releases?limit=50"], "public");
    await act(() => auth.current.signOut());
    await waitFor(() => expect(auth.current.user).toBeNull());
    expect(auth.current).toMatchObject({ ended: null, isAdmin: false });
    expect(heard).toHaveLength(1);
    expect(sessionStorage.length).toBe(0);
    expect(client.getQueryData(["/api/profile"])).toBeUndefined();
    expect(client.getQueryData(["/api/releases?limit=50"])).toBe("public");
  });

  it("shows no message, though the check comes before the answer", async () => {
    seeAs(aMember());
    answerCall("post", "/api/auth/sign-out", {});
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    seeAs(VISITOR);
    await act(() => Promise.all([auth.current.signOut(), auth.current.checkAgain()]));
    expect(auth.current).toMatchObject({ user: null, ended: null });
  });

  it("is not undone by a check that comes before the server has heard of it", async () => {
    seeAs(verifiedAdmin());
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post("*/api/auth/sign-out", async () => {
        await answered;
        seeAs(VISITOR);
        return HttpResponse.json({});
      }),
    );
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const asked = vi.spyOn(globalThis, "fetch");
    const seen: unknown[] = [];
    client.getQueryCache().subscribe(() => seen.push(heldSession(client)?.user?.email));
    const leaving = auth.current.signOut();
    const checking = auth.current.checkAgain();
    await waitFor(() => expect(asked).toHaveBeenCalledOnce());
    answer();
    await act(() => Promise.all([leaving, checking]));
    expect(asked).toHaveBeenCalledTimes(2);
    expect(auth.current).toMatchObject({ user: null, ended: null });
    expect(seen.filter((email) => email !== undefined)).toEqual([]);
  });

  it("reaches other tabs, as another address does, and what is personal is read again", async () => {
    seeAs(aMember());
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const leave = followTabs(client);
    client.setQueryData(["/api/profile"], { email: "old@example.org" });
    act(() => hearFromOtherTab({ kind: "account_changed" }));
    await waitFor(() => expect(client.getQueryState(["/api/profile"])?.isInvalidated).toBe(true));
    leave();
  });

  it("leaves another tab's next session alone", async () => {
    seeAs(aMember());
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const leave = followTabs(client);
    const left = auth.current.session?.id;
    // Messages arrive in order: once this channel has it, so has the session.
    const after = new BroadcastChannel("deadwax-session");
    const heard: unknown[] = [];
    after.onmessage = ({ data }) => heard.push(data.kind);
    act(() => hearFromOtherTab({ kind: "signed_out", left: `${left}x` }));
    act(() => hearFromOtherTab({ kind: "ending", isExpected: true }));
    await waitFor(() => expect(heard).toEqual(["signed_out", "ending"]));
    after.close();
    expect(auth.current.user).not.toBeNull();
    act(() => hearFromOtherTab({ kind: "signed_out", left }));
    await waitFor(() => expect(auth.current.user).toBeNull());
    leave();
  });

  it("happens here even where the server cannot hear it", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(aMember());
    breakCall("post", "/api/auth/sign-out");
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    await act(() => auth.current.signOut());
    await waitFor(() => expect(auth.current.user).toBeNull());
  });

  it("reaches the server once it can, and until then the browser is signed out", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(aMember());
    breakCall("post", "/api/auth/sign-out");
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    await act(() => auth.current.signOut());
    await waitFor(() => expect(auth.current.isFailing).toBe(true));
    expect(auth.current.user).toBeNull();
    // The page is reloaded, and the session is still valid.
    const { auth: reloaded } = watch();
    await waitFor(() => expect(reloaded.current.isFailing).toBe(true));
    expect(reloaded.current.user).toBeNull();
    const heard: unknown[] = [];
    server.use(
      http.post("*/api/auth/sign-out", () => {
        heard.push("sign-out");
        seeAs(VISITOR);
        return HttpResponse.json({});
      }),
    );
    await act(() => reloaded.current.checkAgain());
    await waitFor(() => expect(reloaded.current.loading).toBe(false));
    expect(reloaded.current).toMatchObject({ user: null, ended: null });
    expect(heard).toHaveLength(1);
  });

  it("is owed from the press on, should the page go before it is answered", async () => {
    seeAs(aMember());
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const heard: unknown[] = [];
    server.use(
      http.post("*/api/auth/sign-out", async () => {
        heard.push("sign-out");
        await answered;
        return HttpResponse.json({});
      }),
    );
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const leaving = act(() => auth.current.signOut());
    await waitFor(() => expect(heard).toHaveLength(1));
    expect(localStorage.getItem("deadwax.sign-out-owed")).toBe("true");
    answer();
    await leaving;
    expect(localStorage.getItem("deadwax.sign-out-owed")).toBeNull();
  });

  it("is promised to be sent again only where it is", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(aMember());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    takeToasts();
    refuseCall("post", "/api/auth/sign-out", 403, { code: "forbidden" });
    await act(() => auth.current.signOut());
    expect(takeToasts()).toEqual([{ title: LOGIN_UNREACHABLE, isError: true }]);
    expect(localStorage.getItem("deadwax.sign-out-owed")).toBeNull();
  });

  it("that has not reached the server is sent before the next sign-in", async () => {
    vi.spyOn(console, "error").mockReturnValue(undefined);
    seeAs(aMember());
    breakCall("post", "/api/auth/sign-out");
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    await act(() => auth.current.signOut());
    const signedIn = answerCall("post", "/api/auth/sign-in", aMember());
    await expect(auth.current.signIn("mira", "right")).rejects.toThrow();
    expect(signedIn).toEqual([]);
    const heard = answerCall("post", "/api/auth/sign-out", {});
    await act(() => auth.current.signIn("mira", "right"));
    expect(signedIn).toHaveLength(1);
    expect(heard.length).toBeGreaterThan(0);
    await waitFor(() => expect(auth.current.user?.email).toBe("mira@example.org"));
    expect(localStorage.getItem("deadwax.sign-out-owed")).toBeNull();
  });
});

describe("several tabs", () => {
  it("learn from one another who signed in and out", async () => {
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.loading).toBe(false));
    const leave = followTabs(client);
    act(() => hearFromOtherTab({ kind: "changed", view: aMember() }));
    await waitFor(() => expect(auth.current.user?.email).toBe("mira@example.org"));
    act(() => hearFromOtherTab({ kind: "signed_out", left: undefined }));
    await waitFor(() => expect(auth.current.user).toBeNull());
    expect(auth.current.ended).toBeNull();
    leave();
  });

  it("do not hear themselves", async () => {
    const { client } = watch();
    const leave = followTabs(client);
    client.setQueryData(["/api/profile"], { email: "new@example.org" });
    const heard = new Promise((resolve) => {
      const otherTab = new BroadcastChannel("deadwax-session");
      otherTab.onmessage = ({ data }) => {
        otherTab.close();
        resolve(data);
      };
    });
    tellTabs({ kind: "account_changed" });
    expect(await heard).toEqual({ kind: "account_changed" });
    expect(client.getQueryState(["/api/profile"])?.isInvalidated).toBe(false);
    leave();
  });
});

describe("a session that ended by itself", () => {
  it("is remembered as somebody's, until they know it", async () => {
    seeAs(aMember());
    const { auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    seeAs(VISITOR);
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.ended?.email).toBe("mira@example.org"));
    expect(auth.current.user).toBeNull();
    act(() => auth.current.forgetEnded());
    await waitFor(() => expect(auth.current.ended).toBeNull());
  });

  it("is followed by one that shows what is true by then, without a reload", async () => {
    seeAs(aMember());
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const own = { queryKey: ["/api/profile"] };
    client.setQueryData(own.queryKey, { username: "before" });
    seeAs(VISITOR);
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.ended).not.toBeNull());
    expect(client.getQueryState(own.queryKey)?.isInvalidated).toBe(false);
    answerCall("post", "/api/auth/sign-in", aMember());
    await act(() => auth.current.signIn("mira", "right"));
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    // Open pages stay, and are read again.
    expect(client.getQueryData(own.queryKey)).toEqual({ username: "before" });
    await waitFor(() => expect(client.getQueryState(own.queryKey)?.isInvalidated).toBe(true));
  });

  it("stays remembered while its person comes back, whoever asks meanwhile who is there", async () => {
    seeAs(aMember());
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    seeAs(VISITOR);
    await act(() => auth.current.checkAgain());
    await waitFor(() => expect(auth.current.ended).not.toBeNull());
    const ended: unknown[] = [];
    server.use(
      http.post("*/api/auth/sign-in", async () => {
        await auth.current.checkAgain();
        ended.push(heldSession(client)?.ended?.email);
        return HttpResponse.json(aMember());
      }),
    );
    await act(() => auth.current.signIn("mira", "right"));
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    expect(ended).toEqual(["mira@example.org"]);
  });

  it("is no news where a sign-in ended it, though the stream tells of it before the answer", async () => {
    seeAs(aMember());
    const { client, auth } = watch();
    await waitFor(() => expect(auth.current.user).not.toBeNull());
    const ended: unknown[] = [];
    server.use(
      http.post("*/api/auth/sign-in", async () => {
        seeAs(VISITOR);
        await auth.current.checkAgain();
        ended.push(heldSession(client)?.ended);
        return HttpResponse.json(anAdmin());
      }),
    );
    await act(() => auth.current.signIn("mira", "right"));
    await waitFor(() => expect(auth.current.isAdmin).toBe(true));
    expect(ended).toEqual([null]);
  });
});
