import {
  QueryClientProvider,
  QueryObserver,
  type QueryObserverOptions,
} from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/client.ts";
import { aReleaseDetail } from "../../testing/catalogue.ts";
import { answer, hang } from "../../testing/fakeApi.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { createQueryClient } from "../queryClient.ts";
import { ConnectionLine } from "./RootFrame.tsx";

const PLACES = ["HOME", "RELEASES", "ARTISTS", "STORE", "TERMINAL"];

describe("the frame of a public page", () => {
  it("has the five places, the way in, and the year that was agreed on", async () => {
    renderPath("/store");
    const main = await screen.findByRole("navigation", { name: "Main" });
    expect(
      within(main)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(PLACES);
    expect(screen.getByRole("button", { name: "LOGIN" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "SIGNUP" }).getAttribute("href")).toBe("/signup");
    const foot = screen.getByRole("contentinfo");
    expect(within(foot).getByText("QUICK LINKS")).toBeTruthy();
    expect(within(foot).getByRole("link", { name: "Privacy Policy" })).toBeTruthy();
    expect(within(foot).getByRole("link", { name: "Contact Us" })).toBeTruthy();
    expect(await within(foot).findByText("© 2024 404 COLLECTIVE")).toBeTruthy();
  });

  it("has no empty line at its foot before the label is read", async () => {
    hang("/api/label");
    renderPath("/store");
    const foot = await screen.findByRole("contentinfo");
    expect([...foot.querySelectorAll("p")].filter((line) => !line.textContent)).toEqual([]);
  });

  it("has the label's own name etched into it, and no number of another label's records", async () => {
    const head = document.createElement("meta");
    head.name = "deadwax-label";
    head.content = "Tresor Sud";
    document.head.append(head);
    renderPath("/nowhere");
    await screen.findByText(/Page not found/);
    head.remove();
    const etched = [...document.querySelectorAll("svg text")].map(({ textContent }) => textContent);
    expect(etched).toHaveLength(2);
    for (const words of etched) {
      expect(words).toContain("Tresor Sud");
      expect(words).not.toMatch(/\d{3}-\d{3}/);
    }
  });

  it("marks the place one is at", async () => {
    renderPath("/artists");
    const main = await screen.findByRole("navigation", { name: "Main" });
    const marked = within(main)
      .getAllByRole("link")
      .filter((link) => link.getAttribute("aria-current") === "page");
    expect(marked.map((link) => link.textContent)).toEqual(["ARTISTS"]);
  });

  it("calls no link current that leads to another page", async () => {
    answer("/api/releases/{slug}", aReleaseDetail());
    renderPath("/releases/404-019");
    await screen.findByRole("article");
    const current = [...document.querySelectorAll("[aria-current=page]")];
    expect(current.map((link) => link.getAttribute("href"))).toEqual([]);
    const main = within(screen.getByRole("navigation", { name: "Main" }));
    const place = main.getByRole("link", { name: "RELEASES" });
    expect(place.getAttribute("aria-current")).toBe("true");
  });

  it("scrolls to the top, retitles and moves the reading position with every change of page", async () => {
    const scrollTo = vi.mocked(window.scrollTo);
    const { user } = renderPath("/store");
    const main = await screen.findByRole("navigation", { name: "Main" });
    await screen.findByText("COMING SOON");
    scrollTo.mockClear();
    await user.click(within(main).getByRole("link", { name: "RELEASES" }));
    await screen.findByRole("heading", { level: 1, name: "RELEASES" });
    expect(scrollTo).toHaveBeenCalledWith(0, 0);
    expect(document.title).toBe("Releases — 404 COLLECTIVE");
    expect(document.activeElement).toBe(
      screen.getByRole("heading", { level: 1, name: "RELEASES" }),
    );
  });

  it("leaves the focus in the field that the new page begins with", async () => {
    const { router } = renderPath("/admin/login");
    const email = await screen.findByLabelText("Email");
    await act(() => router.navigate({ to: "/store" }));
    await screen.findByText("COMING SOON");
    expect(email.isConnected).toBe(false);
    await act(() => router.navigate({ to: "/admin/login" }));
    expect(document.activeElement).toBe(await screen.findByLabelText("Email"));
  });

  it("stays where it is when only a dialog opens or closes over the page", async () => {
    const scrollTo = vi.mocked(window.scrollTo);
    const { user } = renderPath("/store");
    const opener = await screen.findByRole("button", { name: "LOGIN" });
    scrollTo.mockClear();
    await user.click(opener);
    await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it("is not around the admin's pages", async () => {
    renderPath("/admin/login");
    expect(await screen.findByRole("heading", { name: "Admin Login" })).toBeTruthy();
    expect(screen.getByText("Access the CMS dashboard")).toBeTruthy();
    expect(screen.queryByRole("navigation")).toBeNull();
    expect(screen.queryByRole("contentinfo")).toBeNull();
  });

  it("stays around an address that leads nowhere", async () => {
    renderPath("/no/such/page");
    expect(await screen.findByText("Oops! Page not found")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Return to Home" }).getAttribute("href")).toBe("/");
    expect(screen.getByRole("contentinfo")).toBeTruthy();
  });
});

describe("the login dialog", () => {
  it("opens over the page and is part of the address", async () => {
    const { user, router } = renderPath("/store");
    await user.click(await screen.findByRole("button", { name: "LOGIN" }));
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
    expect(router.state.location.href).toBe("/store?dialog=login");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(router.state.location.href).toBe("/store");
  });

  it("is opened by a link that asks for it", async () => {
    renderPath("/?dialog=login");
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
  });

  it.each(["terminal", "toString", "[]"])("is not asked for by %s", async (dialog) => {
    renderPath(`/contact?dialog=${dialog}`);
    expect(await screen.findByRole("heading", { level: 1, name: "CONTACT US" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("once closed is not opened again by Back", async () => {
    const { user, router } = renderPath("/contact");
    await screen.findByRole("heading", { level: 1, name: "CONTACT US" });
    await act(() => router.navigate({ to: "/store" }));
    await user.click(await screen.findByRole("button", { name: "LOGIN" }));
    await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(router.state.location.href).toBe("/store"));
    await act(() => router.history.back());
    expect(screen.queryByRole("dialog")).toBeNull();
    act(() => router.history.back());
    await waitFor(() => expect(router.state.location.href).toBe("/contact"));
  });

  it("that a link led to is closed onto its page, and Back leads to where the link was", async () => {
    const { user, router } = renderPath("/contact");
    await screen.findByRole("heading", { level: 1, name: "CONTACT US" });
    await act(() => router.navigate({ to: "/", search: { dialog: "login" } }));
    await screen.findByRole("dialog", { name: "TERMINAL ACCESS" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(router.state.location.href).toBe("/"));
    act(() => router.history.back());
    await waitFor(() => expect(router.state.location.href).toBe("/contact"));
  });
});

describe("the mobile menu", () => {
  it("offers the same entries, and closes on the way to one", async () => {
    const { user } = renderPath("/store");
    await user.click(await screen.findByRole("button", { name: "MENU" }));
    const menu = screen.getByRole("dialog", { name: "Menu" });
    for (const name of PLACES) expect(within(menu).getByRole("link", { name })).toBeTruthy();
    expect(within(menu).getByRole("button", { name: "LOGIN" })).toBeTruthy();
    expect(within(menu).getByRole("link", { name: "SIGNUP" })).toBeTruthy();
    await user.click(within(menu).getByRole("link", { name: "ARTISTS" }));
    await screen.findByRole("heading", { level: 1, name: "ARTISTS" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is walked by keyboard: the focus stays inside, Escape closes it and leads back", async () => {
    const { user } = renderPath("/store");
    const opener = await screen.findByRole("button", { name: "MENU" });
    opener.focus();
    await user.keyboard("{Enter}");
    const menu = screen.getByRole("dialog", { name: "Menu" });
    const close = within(menu).getByRole("button", { name: "CLOSE" });
    const signup = within(menu).getByRole("link", { name: "SIGNUP" });
    signup.focus();
    await user.tab();
    expect(document.activeElement).toBe(close);
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(signup);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(opener);
  });

  it("closes where its page is left by other ways, and does not open by itself on coming back", async () => {
    const { user, router } = renderPath("/contact");
    await act(() => router.navigate({ to: "/store" }));
    await user.click(await screen.findByRole("button", { name: "MENU" }));
    act(() => router.history.back());
    await screen.findByRole("heading", { level: 1, name: "CONTACT US" });
    expect(screen.queryByRole("dialog")).toBeNull();
    act(() => router.history.forward());
    await screen.findByText("STATUS: PENDING");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("leads to the login dialog", async () => {
    const { user } = renderPath("/store");
    await user.click(await screen.findByRole("button", { name: "MENU" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "LOGIN" }));
    expect(await screen.findByRole("dialog", { name: "TERMINAL ACCESS" })).toBeTruthy();
  });
});

it("the connection is called lost only while something is read again", async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  const client = createQueryClient();
  const queryFn = () => Promise.reject(new ApiError(503, {}));
  const show = (options: Partial<QueryObserverOptions>) =>
    new QueryObserver(client, { queryKey: [options], queryFn, ...options }).subscribe(() => {});
  render(
    <QueryClientProvider client={client}>
      <ConnectionLine />
    </QueryClientProvider>,
  );
  show({ retry: false });
  await waitFor(() => expect(console.error).toHaveBeenCalled());
  expect(screen.queryByText("CONNECTION LOST. RETRYING.")).toBeNull();
  show({});
  expect(await screen.findByText("CONNECTION LOST. RETRYING.")).toBeTruthy();
});
