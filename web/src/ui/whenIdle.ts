/** Runs the work once the page has loaded and the browser is idle. */
export function whenIdle(work: () => unknown): void {
  const waitForIdle = () => {
    // Safari has no idle callback; a task is late enough there.
    if ("requestIdleCallback" in window) window.requestIdleCallback(() => work());
    else setTimeout(work);
  };
  if (document.readyState === "complete") waitForIdle();
  else window.addEventListener("load", waitForIdle, { once: true });
}
