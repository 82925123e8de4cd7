// The parts of a browser that the app needs while it is painted, for an engine that has only the language. Import it
// first. Painting waits for nothing: timers never fire.
import "core-js/web/url-search-params";

/** The part of AbortController that the router and reads use; painting never aborts. */
class Signal {
  aborted = false;
  reason: unknown;
  addEventListener(): void {}
  removeEventListener(): void {}
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

class Controller {
  readonly signal = new Signal();
  abort(reason?: unknown): void {
    this.signal.aborted = true;
    this.signal.reason = reason;
  }
}

/** The router checks for this class; no page is one. */
class Response {}

const standIns = {
  setTimeout: () => 0,
  clearTimeout: () => {},
  setInterval: () => 0,
  clearInterval: () => {},
  queueMicrotask: (task: () => void) => void Promise.resolve().then(task),
  AbortController: Controller,
  Response,
};

for (const [name, standIn] of Object.entries(standIns)) {
  if (!(name in globalThis)) Reflect.set(globalThis, name, standIn);
}
