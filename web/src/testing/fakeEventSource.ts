// The browser's event stream, controlled by a test.

type Listener = (event: MessageEvent) => void;

export class FakeEventSource {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Every stream opened since the last test, newest last. */
  static opened: FakeEventSource[] = [];

  /** The newest stream. */
  static get current(): FakeEventSource {
    const newest = FakeEventSource.opened.at(-1);
    if (!newest) throw new Error("no stream was opened");
    return newest;
  }

  readonly url: string;
  readyState: number = FakeEventSource.CONNECTING;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(url: string) {
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  addEventListener(kind: string, listener: Listener): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  /** Accepts the connection. */
  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.onopen?.();
  }

  /** Sends an event. */
  say(kind: string, data: unknown, id = ""): void {
    const event = new MessageEvent(kind, { data: JSON.stringify(data), lastEventId: id });
    for (const listener of this.#listeners.get(kind) ?? []) listener(event);
  }

  /** Breaks the connection; the browser retries by itself or has given up. */
  break({ isGivenUp = false } = {}): void {
    this.readyState = isGivenUp ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING;
    this.onerror?.();
  }
}
