import { expect, test } from "vitest";
import { pictureSources } from "./pictureSources.ts";

const MADE = { base: "/media/a-png-1", widths: [320, 640], fallback: "jpg", moving: false };
const STORED = { url: "/media/a.png", smallUrl: "/media/a-png-small.jpg", width: 700 };

test("a picture comes in the sizes there are, AVIF first", () => {
  expect(pictureSources({ ...STORED, imageSizes: MADE }, false)).toEqual({
    avif: "/media/a-png-1-320.avif 320w, /media/a-png-1-640.avif 640w",
    src: "/media/a-png-1-640.jpg",
    srcSet: "/media/a-png-1-320.jpg 320w, /media/a-png-1-640.jpg 640w",
  });
});

test("an AVIF that is wider than its sizes is one of them", () => {
  const stored = { url: "/media/a.avif", smallUrl: null, width: 1600, imageSizes: MADE };
  expect(pictureSources(stored, false).avif).toBe(
    "/media/a-png-1-320.avif 320w, /media/a-png-1-640.avif 640w, /media/a.avif 1600w",
  );
});

test("what moves stands still in lists and moves elsewhere", () => {
  const moving = { ...STORED, imageSizes: { ...MADE, widths: [300], moving: true } };
  expect(pictureSources(moving, true)).toEqual({
    avif: "/media/a-png-1-300.avif 300w",
    src: "/media/a-png-1-300.jpg",
    srcSet: "/media/a-png-1-300.jpg 300w",
  });
  expect(pictureSources(moving, false)).toEqual({ src: "/media/a.png" });
});

test("until its sizes are made, a picture is shown small or whole", () => {
  expect(pictureSources({ ...STORED, imageSizes: null }, false)).toEqual({
    src: "/media/a-png-small.jpg",
    srcSet: "/media/a-png-small.jpg 640w, /media/a.png 700w",
  });
  const elsewhere = { url: "https://a.example/x.jpg", smallUrl: null, width: null };
  expect(pictureSources({ ...elsewhere, imageSizes: null }, true)).toEqual({
    src: "https://a.example/x.jpg",
  });
});
