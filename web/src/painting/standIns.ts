// What the app asks of a browser while it is painted, for an engine that knows nothing but the language.
//
// Imported before everything else. Nothing is waited for while a page is painted: a timer that was set never goes off.
import "core-js/web/url-search-params";

/** The part of AbortController that the router and the reads use; nobody aborts what is painted. */
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

/** What the router tells an answer by; no page is one. */
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
