import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  TOAST_DONE_MS,
  TOAST_ERROR_MS,
  TOAST_TOGETHER_MS,
} from "../../rules/generated/constants.ts";
import { answerCall, seeAs } from "../../testing/calls.ts";
import { aReleaseDetail } from "../../testing/catalogue.ts";
import { answer } from "../../testing/fakeApi.ts";
import { VISITOR } from "../../testing/people.ts";
import { renderPath } from "../../testing/renderPath.tsx";
import { Modal } from "../Modal.tsx";
import { whenIdle } from "../whenIdle.ts";
import { prepareToasts, Toasts } from "./Toasts.tsx";
import { showToast, withdrawToast } from "./toastQueue.ts";

vi.mock("../whenIdle.ts", { spy: true });

/** The titles of the visible toasts. */
const shown = () =>
  screen
    .queryAllByRole("button", { name: "CLOSE" })
    .map((key) => key.closest("[data-base-ui-toast], li, div")?.textContent);

/** Sooner than a toast leaves by itself. */
const AT_ONCE = { timeout: 1_000 };

/** Time that the test moves on: a toast must not leave because the test waited for it. */
function fakeTime() {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return { later: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)) };
}

/** Notes the live region of each element that is added with the text, unless it is silent. */
function listen(text: string) {
  const heard = new Map<Element, Element>();
  const note = (records: readonly MutationRecord[]) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      const parts = [node, ...node.querySelectorAll("*")];
      const said = parts.find((part) => !part.firstElementChild && part.textContent === text);
      const region = said?.closest("[aria-live], [role=alert]");
      if (said && region && region.getAttribute("aria-live") !== "off") heard.set(said, region);
    }
  };
  const ear = new MutationObserver(note);
  ear.observe(document, { childList: true, subtree: true });
  onTestFinished(() => ear.disconnect());
  return () => {
    note(ear.takeRecords());
    return [...heard.values()];
  };
}

beforeEach(() => {
  vi.useRealTimers();
});

describe("toasts", () => {
  it("appear in a live region, those said before it was loaded too", async () => {
    render(<Toasts />);
    expect(screen.queryByText("Message Sent!")).toBeNull();
    act(() => {
      showToast({ title: "Message Sent!", description: "We'll get back to you soon." });
      showToast({ title: "Error", isError: true });
    });
    const toast = await screen.findAllByText("Message Sent!");
    expect(toast.length).toBeGreaterThan(0);
    expect((await screen.findAllByText("Error")).length).toBeGreaterThan(0);
    expect(document.querySelector("[aria-live]")).toBeTruthy();
  });

  it.each([false, true])(
    "are announced in a live region that is there before them, failure %s",
    async (isError) => {
      const { container } = render(<Toasts />);
      const regions = [...container.querySelectorAll("[aria-live]")];
      const heard = listen("Message");
      act(() => showToast({ title: "Message", isError }));
      await waitFor(() => expect(shown()).toHaveLength(1));
      expect(heard()).toHaveLength(1);
      expect(regions).toContain(heard()[0]);
    },
  );

  it("are closed by Escape without the dialog below them", async () => {
    const onClose = vi.fn();
    render(
      <>
        <Modal title="Login" onClose={onClose}>
          <input aria-label="Email" />
        </Modal>
        <Toasts />
      </>,
    );
    act(() => showToast({ title: "Refused", isError: true }));
    await waitFor(() => expect(shown()).toHaveLength(2));
    const toast = within(document.querySelector("[data-toasts]") as HTMLElement);
    act(() => toast.getByRole("button", { name: "CLOSE" }).focus());
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(toast.queryByText("Refused")).toBeNull());
    expect(onClose).not.toHaveBeenCalled();
  });

  it.each(["{Enter}", "{Escape}"])("say a failure once, also if closed by %s", async (key) => {
    const user = userEvent.setup();
    render(
      <>
        <input aria-label="Search" />
        <Toasts />
      </>,
    );
    await user.click(screen.getByLabelText("Search"));
    const heard = listen("Refused");
    act(() => showToast({ title: "Refused", isError: true }));
    await screen.findByRole("button", { name: "CLOSE" });
    await user.keyboard("{F6}{Tab}{Tab}");
    expect(document.activeElement?.textContent).toBe("CLOSE");
    await user.keyboard(key);
    await waitFor(() => expect(shown()).toEqual([]), AT_ONCE);
    await waitFor(() => expect(screen.queryByText("Refused")).toBeNull());
    expect(heard()).toHaveLength(1);
  });

  it("do not stack: six equal ones are one, and the newest of a kind wins", async () => {
    const { later } = fakeTime();
    render(<Toasts />);
    act(() => {
      for (let nth = 0; nth < 6; nth += 1)
        showToast({ title: "Transmission blocked", isError: true });
    });
    await waitFor(() => expect(shown()).toHaveLength(1));
    await later(TOAST_TOGETHER_MS);
    act(() => showToast({ title: "Transmission failed", isError: true }));
    await later(500);
    expect(shown()).toHaveLength(1);
    expect(shown().join()).toContain("Transmission failed");
  });

  it("keep errors of one moment side by side", async () => {
    const { later } = fakeTime();
    render(<Toasts />);
    act(() => showToast({ title: "Transmission blocked", isError: true }));
    await waitFor(() => expect(shown()).toHaveLength(1));
    act(() => showToast({ title: "Transmission failed", isError: true }));
    await later(500);
    expect(shown()).toHaveLength(2);
  });

  it("are taken back by who said them, and no others with them", async () => {
    const demo = { title: "Archive refused", isError: true };
    showToast(demo);
    withdrawToast(demo);
    showToast({ title: "Saved" });
    render(<Toasts />);
    await waitFor(() => expect(shown().join()).toContain("Saved"));
    expect(shown()).toHaveLength(1);
    act(() => showToast(demo));
    await waitFor(() => expect(shown().join()).toContain("Archive refused"));
    act(() => withdrawToast(demo));
    await waitFor(() => expect(shown()).toHaveLength(0), AT_ONCE);
    act(() => showToast({ title: "Failed to update content", isError: true }));
    await waitFor(() => expect(shown()).toHaveLength(1));
    act(() => withdrawToast(demo));
    await act(() => Promise.resolve());
    expect(shown().join()).toContain("Failed to update content");
    act(() => {
      showToast(demo);
      withdrawToast(demo);
    });
    await act(() => Promise.resolve());
    await waitFor(() => expect(shown().join()).not.toContain("Archive refused"), AT_ONCE);
  });

  it.each([
    ["CLOSE", "by mouse"],
    ["UNDO", "by mouse"],
    ["CLOSE", "by keyboard"],
  ])("give the reading position back where it was after %s %s", async (name, how) => {
    const user = userEvent.setup();
    render(
      <>
        <input aria-label="Search" />
        <Toasts />
      </>,
    );
    await user.type(screen.getByLabelText("Search"), "dead");
    act(() => showToast({ title: "Moved", undo: { onUndo: () => undefined } }));
    const key = await screen.findByRole("button", { name });
    if (how === "by mouse") {
      await user.click(key);
    } else {
      act(() => key.focus());
      await user.keyboard("{Enter}");
    }
    await waitFor(() => expect(shown()).toEqual([]), AT_ONCE);
    await waitFor(
      () => expect(document.activeElement?.getAttribute("aria-label")).toBe("Search"),
      AT_ONCE,
    );
  });

  it("take back a refusal once a later try succeeded", async () => {
    const { later } = fakeTime();
    render(<Toasts />);
    act(() => showToast({ title: "Error", description: "Refused.", isError: true }));
    await waitFor(() => expect(shown().join()).toContain("Refused."));
    await later(TOAST_TOGETHER_MS);
    act(() => showToast({ title: "Message Sent!" }));
    await later(500);
    expect(shown().join()).toContain("Message Sent!");
    expect(shown().join()).not.toContain("Refused.");
  });

  it("take back a success once a later try failed", async () => {
    const { later } = fakeTime();
    render(<Toasts />);
    act(() => showToast({ title: "Content updated successfully" }));
    await waitFor(() => expect(shown().join()).toContain("Content updated successfully"));
    act(() => showToast({ title: "Failed to update content", isError: true }));
    await later(500);
    expect(shown()).toHaveLength(1);
    expect(shown().join()).toContain("Failed to update content");
  });

  it("keep each key that takes something back for its time, whatever is said meanwhile", async () => {
    render(<Toasts />);
    const undone: string[] = [];
    const deleted = (name: string) =>
      showToast({
        title: `Deleted ${name}`,
        isError: name === "four",
        undo: { onUndo: () => undone.push(name), timeout: 60_000 },
      });
    act(() => {
      for (const name of ["one", "two", "three", "four"]) deleted(name);
    });
    await new Promise((wake) => setTimeout(wake, TOAST_TOGETHER_MS));
    act(() => showToast({ title: "Saved" }));
    await waitFor(() => expect(shown().join()).toContain("Saved"));
    act(() => showToast({ title: "Refused", isError: true }));
    await waitFor(() => expect(shown().join()).toContain("Refused"));
    await waitFor(() => expect(shown().join()).not.toContain("Saved"), AT_ONCE);
    const keys = screen.getAllByRole("button", { name: "UNDO" });
    expect(keys).toHaveLength(4);
    for (const key of keys) await userEvent.click(key);
    expect([...undone].sort()).toEqual(["four", "one", "three", "two"]);
  });

  it("go with their key once it works no more, also under the pointer", async () => {
    const { later } = fakeTime();
    render(<Toasts />);
    act(() => showToast({ title: "Deleted", undo: { onUndo: () => {}, timeout: 60_000 } }));
    await screen.findByRole("button", { name: "UNDO" });
    fireEvent.mouseEnter(document.querySelector("[data-toasts]") as Element);
    await later(59_000);
    expect(screen.queryByRole("button", { name: "UNDO" })).toBeTruthy();
    await later(2_000);
    await waitFor(() => expect(screen.queryByRole("button", { name: "UNDO" })).toBeNull());
  });

  it("leave an error there three times as long as a success", async () => {
    const { later } = fakeTime();
    const { container } = render(<Toasts />);
    expect(within(container).queryAllByRole("button")).toEqual([]);
    act(() => {
      showToast({ title: "Saved" });
      showToast({ title: "Refused", isError: true });
    });
    await waitFor(() => expect(shown()).toHaveLength(2));
    await later(TOAST_DONE_MS + 500);
    await waitFor(() => expect(shown().join()).not.toContain("Saved"));
    expect(shown().join()).toContain("Refused");
    await later(TOAST_ERROR_MS - TOAST_DONE_MS);
    await waitFor(() => expect(shown()).toHaveLength(0));
  });
});

describe("the code for toasts", () => {
  it.each(["/contact", "/terminal", "/releases/404-019", "/profile#type=recovery&token=abc"])(
    "is fetched ahead for a visitor of %s",
    async (path) => {
      seeAs(VISITOR);
      answer("/api/releases/{slug}", aReleaseDetail());
      answerCall("post", "/api/auth/link", {
        type: "recovery",
        used: false,
        email: "m***@example.org",
        asked_here: false,
        signed_in_as_other: false,
      });
      vi.mocked(whenIdle).mockClear();
      renderPath(path);
      await waitFor(() => expect(whenIdle).toHaveBeenCalledWith(prepareToasts));
    },
  );
});
