import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { server } from "../testing/fakeApi.ts";
import { LazyPart } from "./LazyPart.tsx";
import { lazyCode } from "./lazyCode.ts";

const Part = ({ name }: { name: string }) => <p>I am {name}</p>;

function show(load: () => Promise<typeof Part>, code = lazyCode(load)) {
  render(
    <LazyPart
      code={code}
      props={{ name: "here" }}
      waiting={<p>Waiting</p>}
      failed={(tryAgain) => (
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      )}
    />,
  );
  return userEvent.setup();
}

it("a part that could not be fetched can be fetched again, as often as it takes", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  server.use(http.get("*/livez", () => HttpResponse.error()));
  const load = vi
    .fn<() => Promise<typeof Part>>()
    .mockRejectedValueOnce(new Error("gone"))
    .mockRejectedValueOnce(new Error("still gone"))
    .mockResolvedValue(Part);
  const user = show(load);
  expect(screen.getByText("Waiting")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("I am here")).toBeTruthy();
});

it("a part that could not be fetched is fetched again by itself once the server is back", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  server.use(http.get("*/livez", () => HttpResponse.error()));
  const load = vi
    .fn<() => Promise<typeof Part>>()
    .mockRejectedValueOnce(new Error("gone"))
    .mockResolvedValue(Part);
  show(load);
  await screen.findByRole("button", { name: "Try again" });
  server.use(http.get("*/livez", () => new HttpResponse("ok")));
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText("I am here")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(2);
});

it("a part that the server has not got any more needs a new document", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  server.use(http.get("*/livez", () => new HttpResponse("ok")));
  const reload = vi.spyOn(location, "reload").mockReturnValue();
  const user = show(() => Promise.reject(new Error("not found")));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(reload).toHaveBeenCalledOnce();
});

it("a part that is here already is drawn at once", () => {
  const load = () => Promise.reject(new Error("not asked for"));
  show(load, { ...lazyCode(load), loaded: () => Part });
  expect(screen.getByText("I am here")).toBeTruthy();
});

it("a part that was fetched before is drawn at once", async () => {
  const load = vi.fn(async () => Part);
  const code = lazyCode(load);
  show(load, code);
  expect(await screen.findByText("I am here")).toBeTruthy();
  cleanup();
  show(load, code);
  expect(screen.getByText("I am here")).toBeTruthy();
  expect(load).toHaveBeenCalledOnce();
});

it("a part is drawn as soon as it is here", async () => {
  vi.useFakeTimers();
  show(async () => Part);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText("I am here")).toBeTruthy();
  vi.useRealTimers();
});
