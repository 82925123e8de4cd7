// WebKitGTK of the distribution, by the W3C WebDriver protocol. It needs a display, which Xvfb gives it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { freePort } from "../site.ts";
import { type Engine, find, KEYS, type Key, Tab, type Target } from "./tab.ts";

/** How the protocol writes a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type ElementReference = { [ELEMENT]: string };

/** A command takes less; one that hangs fails its test by name. */
const ANSWER_MS = 30_000;

/** WebKit starts in half a second. Once in some hundred starts it ends with a segmentation fault, and the driver never answers. */
const START_MS = 15_000;

export async function startWebKit(): Promise<Engine> {
  const screen = spawn(
    "Xvfb",
    // Without `-noreset`, it starts again after the last window is closed, and breaks the connection of a browser that starts just then.
    ["-displayfd", "3", "-screen", "0", "1440x1000x24", "-nolisten", "tcp", "-noreset"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const [display] = await once(screen.stdio[3] as Readable, "data");
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    env: {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      // No desktop session: without these, GTK waits for its accessibility and input services, and uses a GPU that is absent.
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      GTK_IM_MODULE: "gtk-im-context-simple",
      NO_AT_BRIDGE: "1",
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, driver);
  return {
    openTab: () => WebKitTab.open(url),
    close: async () => {
      for (const process of [driver, screen]) {
        const ended = once(process, "exit");
        process.kill();
        await ended;
      }
    },
  };
}

async function untilReady(url: string, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const answer = await fetch(`${url}/status`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((wake) => setTimeout(wake, 25));
  }
  throw new Error("WebKitWebDriver did not start");
}

async function send<T>(
  method: "POST" | "DELETE",
  url: string,
  body?: object,
  timeoutMs = ANSWER_MS,
): Promise<T> {
  const answer = await fetch(url, {
    method,
    // The driver closes idle connections just when a command reuses one.
    headers: { Connection: "close" },
    body: JSON.stringify(body ?? {}),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new Error(`${url}: ${JSON.stringify(body).slice(0, 200)}`, { cause });
  });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${url}: ${value.error}: ${value.message}`);
  return value;
}

class WebKitTab extends Tab {
  private readonly session: string;

  private constructor(session: string) {
    super();
    this.session = session;
  }

  static async open(driver: string): Promise<WebKitTab> {
    const proxy = {
      // Nothing outside the label is fetched: a proxy that does not exist, except for loopback.
      proxyType: "manual",
      httpProxy: "127.0.0.1:9",
      sslProxy: "127.0.0.1:9",
      noProxy: ["127.0.0.1"],
    };
    const capabilities = { alwaysMatch: { proxy } };
    const start = () =>
      send<{ sessionId: string }>("POST", `${driver}/session`, { capabilities }, START_MS);
    const { sessionId } = await start().catch(start);
    const tab = new WebKitTab(`${driver}/session/${sessionId}`);
    await tab.resize(1440, 900);
    return tab;
  }

  run<A extends unknown[], T>(script: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    return this.post("execute/sync", { script: `return (${script})(...arguments)`, args });
  }

  type(text: string): Promise<void> {
    return this.pressAll([...text]);
  }

  press(key: Key): Promise<void> {
    return this.pressAll([key in KEYS ? KEYS[key as keyof typeof KEYS] : key]);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.post("window/rect", { width, height });
  }

  async close(): Promise<void> {
    await send("DELETE", this.session);
  }

  protected async load(url: string): Promise<void> {
    await this.post("url", { url });
  }

  protected async clickFirst(target: Target): Promise<void> {
    const element = await this.run<[Target, "first"], unknown>(find, target, "first");
    await this.post(`element/${(element as ElementReference)[ELEMENT]}/click`);
  }

  protected async setFile(css: string, path: string): Promise<void> {
    const element = await this.post<ElementReference>("element", {
      using: "css selector",
      value: css,
    });
    await this.post(`element/${element[ELEMENT]}/value`, { text: path });
  }

  private pressAll(keys: string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    return this.post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  private post<T>(command: string, body?: object): Promise<T> {
    return send("POST", `${this.session}/${command}`, body);
  }
}
