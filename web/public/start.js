// Starts the app of a document: at once where there is nothing to see without it; on a page that came painted once its first
// picture is there, or as soon as somebody touches the page. Until then it remembers the key that was pressed last, and the app
// presses it again (src/app/takeOver.tsx). A file of its own, since pages may run no script that stands in them; what it starts
// is named at its element (vite.firstPaint.ts).
(() => {
  /** Later than this the app waits for no picture. */
  const PICTURES_WAIT_MS = 2000;
  const scripts = document.currentScript?.dataset.scripts?.split(" ") ?? [];
  let isStarted = false;

  function start() {
    if (isStarted) return;
    isStarted = true;
    for (const src of scripts) {
      const script = document.createElement("script");
      script.type = "module";
      script.crossOrigin = "";
      script.fetchPriority = "low";
      script.src = src;
      document.body.append(script);
    }
  }

  window.pressedEarly = undefined;
  addEventListener(
    "click",
    (event) => {
      window.pressedEarly = event.target.closest?.("button");
    },
    true,
  );

  const isPainted = document.getElementById("root")?.hasAttribute("data-painted");
  if (!isPainted) return start();
  for (const touch of ["pointerdown", "keydown", "focusin"]) {
    addEventListener(touch, start, { capture: true, once: true });
  }
  const first = document.querySelector("img[fetchpriority=high]");
  if (!first || first.complete) return start();
  // Before the page counts as loaded: what waits for that waits for the app too.
  for (const end of ["load", "error"]) first.addEventListener(end, start, { once: true });
  setTimeout(start, PICTURES_WAIT_MS);
})();
