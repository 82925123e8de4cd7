// Starts the app of a document: at once where there is nothing to see without it; on a page that came painted once that can be
// seen with its first picture, or at the first touch of the page. Until then it remembers the button that was pressed
// last, and the app presses it again (src/app/takeOver.tsx). It is a separate file because pages may run no inline scripts;
// what it starts is named at its element (vite.firstPaint.ts).
(() => {
  /** The app starts after this long without a picture or a paint: a tab in the background never paints. */
  const PAINT_WAIT_MS = 2000;
  const scripts = document.currentScript?.dataset.scripts?.split(" ") ?? [];
  let isStarted = false;

  function start() {
    if (isStarted) return;
    isStarted = true;
    // The utility after-first-paint waits for this attribute (src/style/theme.css).
    document.documentElement.dataset.firstPaint = "";
    for (const src of scripts) {
      const script = document.createElement("script");
      script.type = "module";
      script.crossOrigin = "";
      script.fetchPriority = "low";
      script.src = src;
      document.body.append(script);
    }
  }

  /** When the first picture can be drawn, or never will be. */
  function firstPicture() {
    return document
      .querySelector("img[fetchpriority=high]")
      ?.decode()
      .catch(() => undefined);
  }

  /** Waits until the first content is visible. A requested frame comes long before that, since the first paint is the slowest. */
  function firstPaint() {
    return new Promise((resolve) => {
      if (!("PerformanceObserver" in window)) return resolve();
      new PerformanceObserver((paints) => {
        if (paints.getEntriesByName("first-contentful-paint").length > 0) resolve();
      }).observe({ type: "paint", buffered: true });
    });
  }

  /** Waits until the current content is visible: the second frame is requested once the first was handed over. */
  function nextPaint() {
    return new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    });
  }

  let pressed;
  const notePress = ({ target }) => {
    pressed = target.closest?.("button");
  };
  addEventListener("click", notePress, true);
  window.takePressedEarly = () => {
    removeEventListener("click", notePress, true);
    const last = pressed;
    pressed = undefined;
    return last;
  };

  const isPainted = document.getElementById("root")?.hasAttribute("data-painted");
  if (!isPainted) return start();
  for (const touch of ["pointerdown", "keydown", "focusin"]) {
    addEventListener(touch, start, { capture: true, once: true });
  }
  setTimeout(start, PAINT_WAIT_MS);
  Promise.all([firstPicture(), firstPaint()]).then(nextPaint).then(start);
})();
