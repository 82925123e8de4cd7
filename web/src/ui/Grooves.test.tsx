import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Grooves } from "./Grooves.tsx";

afterEach(cleanup);

const drawn = (seed: string) => render(<Grooves seed={seed} />).container.innerHTML;

describe("grooves", () => {
  it("are always the same for the same thing, and others for another", () => {
    expect(drawn("404-001")).toBe(drawn("404-001"));
    expect(drawn("404-001")).not.toBe(drawn("404-002"));
  });

  it.each(["404-001", "", "🎛️ Ünïcode", "x".repeat(400)])(
    "of %j are many rings in few lines",
    (seed) => {
      const { container } = render(<Grooves seed={seed} />);
      const paths = [...container.querySelectorAll("path")];
      const rings = paths.flatMap((path) => path.getAttribute("d")?.match(/M/g) ?? []);
      expect(rings.length).toBeGreaterThan(20);
      expect(container.querySelectorAll("svg *").length).toBeLessThan(12);
      expect(container.innerHTML).not.toMatch(/NaN|undefined|null/);
    },
  );

  it("close each ring where it began", () => {
    const path = render(<Grooves seed="404-001" />).container.querySelector("path[d]");
    const numbers = /M(\S+) (\S+)a\S+ \S+ 0 0 1 (\S+) (\S+)a\S+ \S+ 0 0 1 (\S+) (\S+?)(?:M|$)/.exec(
      path?.getAttribute("d") ?? "",
    );
    const [, , , toX, toY, backX, backY] = (numbers ?? []).map(Number);
    expect([toX, toY]).toEqual([-(backX ?? Number.NaN), -(backY ?? Number.NaN)]);
  });
});
