import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Picture } from "./Picture.tsx";

function Sleeve({ url }: { url: string }) {
  return (
    <Picture
      of={{ image_url: url, image_small_url: null, image_width: 640, image_height: 640 }}
      alt="A sleeve"
      seed="404-001"
      sizes="10rem"
      empty={<p>Nothing to see</p>}
    />
  );
}

const shown = () => screen.queryByRole("img", { name: "A sleeve" });
const breakIt = () => fireEvent.error(screen.getByRole("img", { name: "A sleeve" }));
const comeBack = () => act(() => void window.dispatchEvent(new Event("online")));

afterEach(() => vi.useRealTimers());

it("a picture that has failed is asked for again when the connection is back", () => {
  vi.useFakeTimers();
  render(<Sleeve url="/media/one.png" />);
  breakIt();
  expect(shown()).toBeNull();
  expect(screen.getByText("Nothing to see")).toBeTruthy();
  vi.advanceTimersByTime(60_000);
  comeBack();
  expect(shown()).toBeTruthy();
});

it("a picture that has failed is asked for again when its page is looked at again", () => {
  vi.useFakeTimers();
  render(<Sleeve url="/media/one.png" />);
  breakIt();
  vi.advanceTimersByTime(60_000);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(shown()).toBeTruthy();
});

it("a picture that is missing is not asked for again and again", () => {
  vi.useFakeTimers();
  render(<Sleeve url="/media/one.png" />);
  breakIt();
  vi.advanceTimersByTime(60_000);
  comeBack();
  breakIt();
  comeBack();
  comeBack();
  expect(shown()).toBeNull();
  vi.advanceTimersByTime(60_000);
  comeBack();
  expect(shown()).toBeTruthy();
});
