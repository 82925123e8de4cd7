import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { answer } from "../testing/fakeApi.ts";
import { FakeEventSource } from "../testing/fakeEventSource.ts";
import { renderPath } from "../testing/renderPath.tsx";

it("an open page takes the label's new name and colour", async () => {
  renderPath("/contact");
  await waitFor(() => expect(document.title).toMatch(/— 404 COLLECTIVE$/));
  answer("/api/label", { name: "Mira & Söhne", signal: "#ffd400", has_imprint: false });
  FakeEventSource.current.say(
    "change",
    { table: "site_content", op: "update", key: "label_name" },
    "2",
  );
  await waitFor(() => expect(document.title).toMatch(/— Mira & Söhne$/));
  expect(screen.getAllByText("Mira & Söhne").length).toBeGreaterThan(0);
  const { style } = document.documentElement;
  await waitFor(() => expect(style.getPropertyValue("--color-signal")).toBe("#ffd400"));
  style.removeProperty("--color-signal");
});
