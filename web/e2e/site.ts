// One running label: the real binary on a free port over a separate data folder (or PostgreSQL database).
// The contents of pages are tested elsewhere.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
export const binary = process.env.DEADWAX_BIN ?? resolve(here, "../../target/debug/deadwax");

/** The cluster of the test run, as `postgres://user@host:port` without a database; `scripts/test` starts one. */
export const postgres = process.env.DEADWAX_TEST_POSTGRES;

/** The labels that others are copies of (globalSetup.ts): both have the sizes of the default background. */
export type Template = "empty" | "sample";

/** The variable with the folder of the templates' data folders. */
export const TEMPLATES = "DEADWAX_E2E_TEMPLATES";

let databases = 0;

export async function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => found(port));
    });
  });
}

export type Engine = "sqlite" | "postgres";

interface Options {
  sample: boolean;
  engine?: Engine;
  /** The template that this label is to become. */
  becomes?: Template;
  /** The way that browsers take to it, where they do not connect to it themselves. */
  line?: { url: string; target: number };
  /** More settings, such as `SMTP_URL`. */
  settings?: Readonly<Record<string, string>>;
}

export class Site {
  readonly url: string;
  readonly dataDir = mkdtempSync(join(tmpdir(), "deadwax-e2e-"));
  private readonly env: NodeJS.ProcessEnv;
  private readonly databaseUrl: string | undefined;
  private server: ChildProcess | undefined;
  private log = "";
  private readonly secrets = new Set<string>();

  private constructor(
    port: number,
    databaseUrl: string | undefined,
    { line, settings }: Pick<Options, "line" | "settings">,
  ) {
    this.url = line?.url ?? `http://127.0.0.1:${port}`;
    if (line) line.target = port;
    this.databaseUrl = databaseUrl;
    this.env = {
      ...process.env,
      DEADWAX_LISTEN: `127.0.0.1:${port}`,
      DEADWAX_PUBLIC_URL: this.url,
      DEADWAX_DATA_DIR: this.dataDir,
      // Every browser identifies itself by X-Forwarded-For, so that each has separate limits.
      TRUSTED_PROXIES: "127.0.0.1/32",
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...settings,
    };
  }

  /** Starts a copy of a template: with `sample` of the sample label, else of the empty one. */
  static async start({ sample, engine = "sqlite", becomes, ...more }: Options): Promise<Site> {
    const template: Template = sample ? "sample" : "empty";
    const isFirst = becomes === "empty";
    let databaseUrl: string | undefined;
    if (engine === "postgres") {
      if (!postgres) throw new Error("DEADWAX_TEST_POSTGRES is not set: run scripts/test e2e");
      databases += 1;
      const name = `e2e_${becomes ?? `${process.pid}_${databases}`}`;
      const copied = isFirst ? "" : ` TEMPLATE e2e_${template}`;
      psql(`${postgres}/postgres`, `CREATE DATABASE ${name}${copied}`);
      databaseUrl = `${postgres}/${name}`;
    }
    const site = new Site(await freePort(), databaseUrl, more);
    if (!isFirst) {
      const made = join(process.env[TEMPLATES] ?? "", `${engine}-${template}`);
      cpSync(made, site.dataDir, { recursive: true });
    }
    await site.start();
    return site;
  }

  /** Another `deadwax` process on the same data, as a person beside the running server would start it. */
  run(...args: string[]): void {
    this.runWith("", ...args);
  }

  /** The same, typing `input`. */
  runWith(input: string, ...args: string[]): void {
    execFileSync(binary, args, { env: this.env, stdio: "pipe", input });
  }

  /** Where mail goes while no mail server is set. */
  get mailFolder(): string {
    return join(this.dataDir, "mail");
  }

  /** The file with the token that keeps the address of the captured mail secret. */
  get mailTokenFile(): string {
    return join(this.dataDir, "mail-token");
  }

  /** Where stored files are. */
  get mediaFolder(): string {
    return join(this.dataDir, "media");
  }

  /** One SQL statement from outside the program; PostgreSQL only. */
  sql(statement: string): string {
    if (!this.databaseUrl) throw new Error("only a label on PostgreSQL can be edited by SQL");
    return psql(this.databaseUrl, statement);
  }

  async start(): Promise<void> {
    const server = spawn(binary, ["serve"], { env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    this.server = server;
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        this.log += bytes.toString();
      });
    }
    const deadline = Date.now() + 20_000;
    while (Date.now() < deadline) {
      if (server.exitCode !== null) break;
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((wake) => setTimeout(wake, 25));
    }
    throw new Error(`deadwax did not become ready:\n${this.log.slice(-20_000)}`);
  }

  /** Ends the server as an operator would and waits until it is gone. */
  async stop(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server || server.exitCode !== null) return;
    const gone = new Promise((resolved) => server.once("exit", resolved));
    server.kill("SIGTERM");
    await gone;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Notes what may never be in the log: passwords, tokens, codes, full addresses. */
  keepSecret(...secrets: string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
  }

  /** The lines of the log that tell a secret. */
  indiscretions(): string[] {
    const secrets = [...this.secrets].map(
      (secret) => new RegExp(`(?<![\\w.-])${literally(secret)}(?![\\w-])`, "i"),
    );
    return this.log.split("\n").filter((line) => secrets.some((secret) => secret.test(line)));
  }
}

function psql(url: string, statement: string): string {
  return execFileSync(
    "psql",
    ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, url],
    { encoding: "utf8" },
  ).trim();
}

/** The text as a pattern that matches nothing but it. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
