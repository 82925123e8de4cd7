// Firefox of the distribution, by WebDriver BiDi.
import puppeteer, { type ElementHandle, type KeyInput, type Page } from "puppeteer-core";
import { type Engine, find, type Key, Tab, type Target } from "./tab.ts";

const CUT_BY_LEAVING = /^Reading \S+ failed: NetworkError when attempting to fetch resource\.$/;

export async function startFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.DEADWAX_FIREFOX ?? "/usr/bin/firefox-esr",
    env: { ...process.env, ALSA_CONFIG_PATH: `${import.meta.dirname}/asound.conf` },
    defaultViewport: { width: 1440, height: 900 },
    extraPrefsFirefox: {
      // Nothing outside the label is fetched: a proxy that does not exist, except for loopback.
      "network.proxy.type": 1,
      "network.proxy.http": "127.0.0.1",
      "network.proxy.http_port": 9,
      "network.proxy.ssl": "127.0.0.1",
      "network.proxy.ssl_port": 9,
    },
  });
  return {
    openTab: async () => {
      const context = await browser.createBrowserContext();
      return new FirefoxTab(await context.newPage());
    },
    close: () => browser.close(),
  };
}

class FirefoxTab extends Tab {
  private readonly page: Page;

  constructor(page: Page) {
    super();
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error") this.reported.push(message.text());
    });
    page.on("pageerror", (error) => this.reported.push(`uncaught: ${String(error)}`));
  }

  run<A extends unknown[], T>(script: (...args: A) => T | Promise<T>, ...args: A): Promise<T> {
    return this.page.evaluate(script as (...args: unknown[]) => Promise<T>, ...args);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(key: Key): Promise<void> {
    await this.page.keyboard.press((key === "Space" ? " " : key) as KeyInput);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewport({ width, height });
  }

  async close(): Promise<void> {
    await this.page.browserContext().close();
  }

  protected async load(url: string): Promise<void> {
    const before = this.reported.length;
    await this.page.goto(url);
    // Firefox ends the reads of a page that is being left with an error; other browsers end them in silence.
    const during = this.reported.splice(before);
    this.reported.push(...during.filter((message) => !CUT_BY_LEAVING.test(message)));
  }

  protected async clickFirst(target: Target): Promise<void> {
    const found = await this.page.evaluateHandle(find, target, "first" as const);
    await (found.asElement() as ElementHandle<Element>).click();
  }

  protected async setFile(css: string, path: string): Promise<void> {
    const input = await this.page.$(css);
    await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
  }
}
