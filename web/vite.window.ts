// A browser window for each test file, like Vitest's own, from the bundled browser (vite.browser.ts).
import { pathToFileURL } from "node:url";
import { type Environment, populateGlobal } from "vitest/runtime";
import { BROWSER } from "./vite.browser.ts";

const URL_OF_TESTS = "http://localhost:3000";

export default {
  name: "happy-dom",
  viteEnvironment: "client",
  async setup(global) {
    const { GlobalWindow } = (await import(
      /* @vite-ignore */ pathToFileURL(BROWSER).href
    )) as typeof import("happy-dom");
    const window = new GlobalWindow({
      console: global.console,
      url: URL_OF_TESTS,
      settings: { disableErrorCapturing: true },
    });
    const { keys, originals } = populateGlobal(global, window, {
      bindFunctions: true,
      // Globals that Node has too, but not for a page.
      additionalKeys: [
        "Request",
        "Response",
        "MessagePort",
        "fetch",
        "Headers",
        "AbortController",
        "AbortSignal",
        "URL",
        "URLSearchParams",
        "FormData",
      ],
    });
    return {
      async teardown() {
        await window.happyDOM.abort();
        window.close();
        for (const key of keys) Reflect.deleteProperty(global, key);
        for (const [key, original] of originals) Reflect.set(global, key, original);
      },
    };
  },
} satisfies Environment;
