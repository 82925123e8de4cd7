import { render, screen } from "@testing-library/react";
import { http } from "msw";
import { expect, it, vi } from "vitest";
import { server } from "../testing/fakeApi.ts";

it("a text that the rules make is drawn again once they are there", async () => {
  let release = () => {};
  const held = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  server.use(http.get("*/rules_wasm_bg.wasm", () => held));
  vi.resetModules();
  const { ByRules } = await import("./ByRules.tsx");
  render(<ByRules ask={(rules) => rules.preview("x".repeat(200))} without="as it is" />);
  expect(screen.getByText("as it is")).toBeTruthy();
  release();
  expect(await screen.findByText(`${"x".repeat(150)}...`)).toBeTruthy();
});
