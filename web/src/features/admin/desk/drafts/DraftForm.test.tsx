import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { anEditableRelease } from "../../../../testing/backOffice.ts";
import { server } from "../../../../testing/fakeApi.ts";
import { DraftForm, type Drafts } from "./DraftForm.tsx";

vi.mock("../../releases/ReleaseEditor.tsx", () => {
  throw new Error("not fetched");
});

it("a form that could not be fetched leaves the desk standing, and can be closed", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  server.use(http.get("*/livez", () => HttpResponse.error()));
  const close = vi.fn();
  const drafts: Drafts = {
    open: () => undefined,
    isBusy: false,
    opened: anEditableRelease(),
    close,
  };
  render(
    <>
      <textarea aria-label="Note" defaultValue="Half a tho" />
      <DraftForm drafts={drafts} />
    </>,
  );
  expect(await screen.findByRole("heading", { name: "ERROR" })).toBeTruthy();
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" }).value).toBe(
    "Half a tho",
  );
  await userEvent.click(screen.getByRole("button", { name: "CLOSE" }));
  expect(close).toHaveBeenCalledOnce();
});
