// Tests the package as users get it: packed, installed from the tarball into an empty folder, and used in Node, a Vite app, a
// plain page and the type checker. Each runs the README's examples and every vector of the rules. Vite, TypeScript and
// Playwright come from the web app's packages; nothing else is fetched.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { serve } from "./serve.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const source = join(here, "../npm");
const web = createRequire(join(root, "web/package.json"));
const run = promisify(execFile);

const read = (...path) => readFileSync(join(...path), "utf8");
const manifest = JSON.parse(read(source, "package.json"));
const readme = read(source, "README.md");
const fixtures = readdirSync(join(root, "crates/rules/fixtures"))
  .map((file) => JSON.parse(read(root, "crates/rules/fixtures", file)))
  .filter(({ native_only }) => !native_only);
const vectors = fixtures.reduce((sum, { cases }) => sum + cases.length, 0);

/** The README's code blocks of a language, joined. */
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block).join("\n");
/** The output a block documents in its comments. */
const printed = (block) => [...block.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);

const PAGE_MS = 15_000;
const SHOWN = printed(blocks("ts"));

let scratch;
let tarball;
let browser;

/** Copies a consumer to an empty folder and installs the package from the tarball. */
async function install(consumer, publicFolder = "") {
  const folder = join(scratch, consumer);
  cpSync(join(here, consumer), folder, { recursive: true });
  cpSync(join(here, "vectors.mjs"), join(folder, "vectors.mjs"));
  mkdirSync(join(folder, publicFolder), { recursive: true });
  writeFileSync(join(folder, publicFolder, "fixtures.json"), JSON.stringify(fixtures));
  writeFileSync(join(folder, "readme.ts"), blocks("ts"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: `consumer-${consumer}`, private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball], { cwd: folder });
  return folder;
}

/** Opens a page until it has printed `count` lines, and returns them. */
async function linesOf(url, count) {
  const page = await browser.newPage();
  const lines = [];
  const faults = [];
  try {
    await new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`${url} printed no more than ${JSON.stringify({ lines, faults })}`)), PAGE_MS);
      page.on("console", (message) => {
        (message.type() === "log" ? lines : faults).push(message.text());
        if (lines.length === count) {
          clearTimeout(tooLate);
          resolve();
        }
      });
      page.on("pageerror", reject);
      page.goto(url).catch(reject);
    });
    return lines;
  } finally {
    await page.close();
  }
}

/** Checks the lines of a page or program that runs the README's examples, then the vectors. */
function assertAllHeld(lines, shown) {
  assert.deepEqual(lines.slice(0, -1), shown);
  const { passed, failures } = JSON.parse(lines.at(-1));
  assert.deepEqual(failures, []);
  assert.equal(passed, vectors);
}

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "deadwax-consumers-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", scratch], { cwd: source });
  tarball = join(scratch, JSON.parse(stdout)[0].filename);
  browser = await web("@playwright/test").chromium.launch({
    chromiumSandbox: false,
    executablePath: process.env.DEADWAX_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--disable-gpu", "--disable-background-networking"],
  });
});

after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe("the package", () => {
  test("shows what its checks print", () => {
    assert.ok(SHOWN.length > 0);
  });

  test("has the version of the workspace, and its changelog begins with it", () => {
    const [, version] = read(root, "Cargo.toml").match(/^\[workspace\.package\]\nversion = "(.*)"/m);
    assert.equal(manifest.version, version);
    assert.equal(read(source, "CHANGELOG.md").match(/^## (.*)$/m)[1], version);
  });

  test("cannot be published by accident", () => {
    assert.equal(manifest.private, true);
  });

  test("shows the check in Rust that the crate's own page shows", () => {
    const rust = blocks("rust");
    assert.ok(rust);
    assert.ok(read(root, "crates/rules/README.md").includes(rust), "crates/rules/README.md shows another one");
  });

  test("packs what it exports and what it tells, and no more", async () => {
    const { stdout } = await run("tar", ["--list", "--file", tarball]);
    const packed = stdout.trim().split("\n").map((path) => path.replace(/^package\//, ""));
    const files = (exported) => (typeof exported === "string" ? [exported] : Object.values(exported).flatMap(files));
    const wanted = ["LICENSE", "README.md", "CHANGELOG.md", ...files(manifest.exports).map((path) => path.slice(2))];
    assert.deepEqual(wanted.filter((path) => !packed.includes(path)), []);
    const known = /^(?:(?:LICENSE|README\.md|CHANGELOG\.md|package\.json|node\.js|browser\.js)|(?:wasm|data)\/\w+(?:\.wasm|\.js|(?:\.wasm)?\.d\.ts))$/;
    assert.deepEqual(packed.filter((path) => !known.test(path)), []);
  });

  test("documents every declaration in plain words", () => {
    const faults = read(source, "wasm/rules_wasm.d.ts").match(/^ *\* r".*$|^\/\*\*\n *\*\s*\*\/\n.*$/gm);
    assert.equal(faults, null);
  });

  test("does not tell where it was built", async () => {
    const folder = join(scratch, "unpacked");
    mkdirSync(folder);
    await run("tar", ["--extract", "--file", tarball, "--directory", folder]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const places = [root, `${homedir()}/`, "/registry/src/", "/.cargo/", "/.rustup/"];
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name));
      for (const place of places) assert.ok(!bytes.includes(place), `${name} names ${place}`);
    }
  });
});

describe("a program in Node", () => {
  let folder;
  before(async () => {
    folder = await install("node");
    cpSync(join(folder, "readme.ts"), join(folder, "readme.mjs"));
  });

  test("does what the README shows, and gets the answers of every vector", async () => {
    const { stdout } = await run("node", ["index.mjs"], { cwd: folder });
    assertAllHeld(stdout.trim().split("\n"), SHOWN);
  });

  test("takes it by require", async () => {
    const { stdout } = await run("node", ["--no-warnings", "index.cjs"], { cwd: folder });
    assert.deepEqual(stdout.trim().split("\n"), ["Name must be at least 2 characters", "Message Sent!"]);
  });
});

describe("a Vite app", () => {
  let folder;
  let vite;
  before(async () => {
    folder = await install("vite", "public");
    vite = await import(pathToFileURL(web.resolve("vite")));
  });

  /** Builds a page of the app and serves it. */
  async function built(page, plugins, shown) {
    const outDir = join(folder, `dist-of-${page}`);
    const rolldownOptions = { input: join(folder, page) };
    await vite.build({ root: folder, configFile: false, logLevel: "warn", plugins, build: { outDir, rolldownOptions } });
    const server = await serve(outDir);
    try {
      assertAllHeld(await linesOf(`${server.url}/${page}`, shown.length + 1), shown);
    } finally {
      server.close();
    }
  }

  test("built without a configuration, does what the README shows and gets the answers of every vector", () =>
    built("index.html", [], SHOWN));

  test("built with the plugin that imports WebAssembly as a module, gets the answers of every vector", async () => {
    const { default: wasm } = await import(pathToFileURL(web.resolve("vite-plugin-wasm")));
    await built("plugin.html", [wasm()], []);
  });

  /** Serves a page of the app with Vite's development server. */
  async function developed(page, options, shown) {
    const server = await vite.createServer({
      root: folder,
      configFile: false,
      cacheDir: join(folder, `cache-of-${page}`),
      logLevel: "warn",
      server: { host: "127.0.0.1", port: 0, hmr: false, ws: false, watch: null },
      ...options,
    });
    await server.listen();
    try {
      assertAllHeld(await linesOf(`http://127.0.0.1:${server.httpServer.address().port}/${page}`, shown.length + 1), shown);
    } finally {
      await server.close();
    }
  }

  test("while it is developed, does what the README shows and gets the answers of every vector", () =>
    developed("index.html", {}, SHOWN));

  test("while it is developed with the plugin, gets the answers of every vector", async () => {
    const { default: wasm } = await import(pathToFileURL(web.resolve("vite-plugin-wasm")));
    await developed("plugin.html", { plugins: [wasm()] }, []);
  });
});

describe("a plain page", () => {
  let server;
  before(async () => {
    const folder = await install("page");
    writeFileSync(join(folder, "readme.html"), `<!doctype html>\n<meta charset="utf-8">\n${blocks("html")}`);
    server = await serve(folder);
  });
  after(() => server?.close());

  test("does what the README shows", async () => {
    const shown = printed(blocks("html"));
    assert.ok(shown.length > 0);
    assert.deepEqual(await linesOf(`${server.url}/readme.html`, shown.length), shown);
  });

  test("gets the answers of every vector", async () => {
    assertAllHeld(await linesOf(`${server.url}/vectors.html`, 1), []);
  });
});

describe("the types", () => {
  let folder;
  before(async () => {
    folder = await install("types");
  });

  for (const resolution of ["bundler", "nodenext"]) {
    test(`hold with moduleResolution ${resolution}`, async () => {
      const compiler = web.resolve("typescript/bin/tsc");
      const { stdout } = await run("node", [compiler, "--project", `tsconfig.${resolution}.json`], { cwd: folder }).catch(
        (failed) => failed,
      );
      assert.equal(stdout, "");
    });
  }
});
