import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { createQueryClient } from "../../../../app/queryClient.ts";
import { refuseCall } from "../../../../testing/calls.ts";
import { ReleaseField } from "./ReleaseChoice.tsx";

const GONE = "This release is gone. Please choose another.";

function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ReleaseField id="a-release" error={undefined} onChoose={() => undefined} />
    </QueryClientProvider>,
  );
}

it("says that a release is gone", async () => {
  refuseCall("get", "/api/admin/releases/a-release", 404, { code: "not_found" });
  open();
  expect(await screen.findByText(GONE)).toBeTruthy();
});

it("does not take a release for gone that could not be read", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  refuseCall("get", "/api/admin/releases/a-release", 500, { code: "internal" });
  open();
  expect(await screen.findByText("The release could not be read.")).toBeTruthy();
  expect(screen.queryByText(GONE)).toBeNull();
});
