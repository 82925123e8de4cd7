import { act, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { RowChunk } from "./RowList.tsx";

type Heed = (
  entries: { isIntersecting: boolean; boundingClientRect: { height: number } }[],
) => void;

/** A list of one chunk, and a function that reports its visibility. */
function renderChunk() {
  let heed: Heed = () => undefined;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(given: Heed) {
        heed = given;
      }
      observe() {}
      disconnect() {}
    },
  );
  const draw = ({ id }: { id: string }) => <button type="button">{id}</button>;
  render(
    <RowChunk
      rows={[{ id: "alva" }]}
      before={0}
      total={1}
      draw={draw}
      layout={{ chunk: "", row: "" }}
    />,
  );
  return (isIntersecting: boolean, height: number) =>
    act(() => heed([{ isIntersecting, boundingClientRect: { height } }]));
}

describe("a chunk of a long list", () => {
  it("is an empty space of its height while the reader is far, and drawn when they come", () => {
    const see = renderChunk();
    see(false, 900);
    expect(screen.queryByRole("listitem")).toBeNull();
    see(true, 900);
    expect(screen.queryByRole("listitem")).not.toBeNull();
  });

  it("stays drawn while it is not shown at all", () => {
    const see = renderChunk();
    see(false, 0);
    expect(screen.queryByRole("listitem")).not.toBeNull();
  });

  it("stays drawn for whoever works in it", () => {
    const see = renderChunk();
    screen.getByRole("button").focus();
    see(false, 900);
    expect(document.activeElement).toBe(screen.getByRole("button"));
  });
});
