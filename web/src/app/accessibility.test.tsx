import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { seeAs } from "../testing/calls.ts";
import { anArtist } from "../testing/catalogue.ts";
import { server } from "../testing/fakeApi.ts";
import { anAdmin } from "../testing/people.ts";
import { renderPath } from "../testing/renderPath.tsx";
import { Modal } from "../ui/Modal.tsx";
import { ConnectionLine } from "./layout/RootFrame.tsx";

describe("required fields are marked for machines too", () => {
  it.each([
    ["/contact", "Contact", { Name: true, Email: true, Message: true }],
    ["/?dialog=login", "Login", { "Email or username": true, Password: true }],
    ["/admin/login", "Admin Login", { Email: true, Password: true }],
    [
      "/artists?dialog=demo",
      "Demo",
      { "Artist name": true, Email: true, "Message (optional)": false },
    ],
  ])("at %s", async (path, name, fields) => {
    renderPath(path);
    const form = within(await screen.findByRole("form", { name }));
    for (const [label, isRequired] of Object.entries(fields)) {
      expect([label, form.getByLabelText(label).getAttribute("aria-required")]).toEqual([
        label,
        isRequired ? "true" : null,
      ]);
    }
  });
});

describe("a page whose heading waits for data", () => {
  /** Opens an artist whose answer is held back until `arrive`, and waits for the page. */
  async function goToArtist() {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    server.use(
      http.get("*/api/artists/:id", async () => {
        await arrived;
        return HttpResponse.json(anArtist());
      }),
    );
    const app = renderPath("/store");
    await screen.findByText("COMING SOON");
    await act(() =>
      app.router.navigate({ to: "/artists/$artistId", params: { artistId: anArtist().id } }),
    );
    await screen.findByText("LOADING TRANSMISSIONS...");
    expect(document.activeElement).toBe(screen.getByRole("main"));
    return { arrive };
  }

  it("gets the reading position to it once it is there", async () => {
    const { arrive } = await goToArtist();
    arrive();
    const heading = await screen.findByRole("heading", { level: 1, name: "Kesto Vann" });
    expect(document.activeElement).toBe(heading);
  });

  it("leaves a reader alone who has moved on", async () => {
    const { arrive } = await goToArtist();
    const elsewhere = within(screen.getByRole("contentinfo")).getByRole("link", { name: "STORE" });
    elsewhere.focus();
    arrive();
    await screen.findByRole("heading", { level: 1, name: "Kesto Vann" });
    expect(document.activeElement).toBe(elsewhere);
  });
});

describe("the way past the navigation", () => {
  it("leads to the page, and in the dashboard past the tabs to the open one", async () => {
    const { router } = renderPath("/store");
    await screen.findByText("COMING SOON");
    const way = screen.getByRole("link", { name: "SKIP TO CONTENT" });
    expect(way.getAttribute("href")).toBe("#content");
    expect(document.getElementById("content")).toBe(screen.getByRole("main"));
    seeAs(anAdmin());
    await act(() => router.navigate({ to: "/" }));
    renderPath("/admin?tab=terminal");
    await screen.findByRole("heading", { name: "Terminal" });
    const panel = document.querySelector("[role=tabpanel]");
    expect(panel?.parentElement?.id).toBe("content");
    const tab = screen.getByRole("tab", { selected: true });
    expect(tab.getAttribute("aria-controls")).toBe(panel?.id);
  });
});

describe("the connection that is lost", () => {
  it("are marked under an open dialog too", () => {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ConnectionLine />
        <Modal title="A dialog" onClose={() => undefined}>
          <input aria-label="Name" />
        </Modal>
      </QueryClientProvider>,
    );
    const region = document.querySelector("[role=status]");
    expect(region).not.toBeNull();
    expect(region?.closest("[aria-hidden=true], [inert]")).toBeNull();
  });
});
