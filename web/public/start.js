// Starts the app of a document: at once where there is nothing to see without it; on a page that came painted once that can be
// seen with its first picture, or at the first touch of the page. Until then it remembers the button that was pressed
// last, and the app presses it again (src/app/takeOver.tsx). A file of its own, since pages may run no script that stands in them;
// what it starts is named at its element (vite.firstPaint.ts).
(() => {
  /** Later than this the app waits for no picture, and for no paint: there is none in a tab that nobody looks at. */
  const PAINT_WAIT_MS = 2000;
  const scripts = document.currentScript?.dataset.scripts?.split(" ") ?? [];
  let isStarted = false;

  function start() {
    if (isStarted) return;
    isStarted = true;
    // What waits for it: the utility after-first-paint (src/style/theme.css).
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

  /** When the first of the page can be seen. A frame is asked for a good while before that: the first is the slowest. */
  function firstPaint() {
    return new Promise((resolve) => {
      if (!("PerformanceObserver" in window)) return resolve();
      new PerformanceObserver((paints) => {
        if (paints.getEntriesByName("first-contentful-paint").length > 0) resolve();
      }).observe({ type: "paint", buffered: true });
    });
  }

  /** When what is there now can be seen: the second frame is asked for once the first was handed over. */
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
