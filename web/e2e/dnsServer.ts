// A DNS server that knows the records of a test and no other name.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../crates/server/tests/dns_server.py", import.meta.url));

type Records = Readonly<Record<string, { TXT?: string[]; MX?: [number, string][]; A?: string[] }>>;

export class DnsServer {
  private readonly process: ChildProcess;
  private readonly lines: Interface;
  private readonly port: number;

  private constructor(process: ChildProcess, lines: Interface, port: number) {
    this.process = process;
    this.lines = lines;
    this.port = port;
  }

  static async start(): Promise<DnsServer> {
    const process = spawn("/usr/bin/python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: process.stdout });
    const [first] = (await once(lines, "line")) as [string];
    return new DnsServer(process, lines, JSON.parse(first).port);
  }

  /** Sets the records of some names. */
  async set(records: Records): Promise<void> {
    const read = once(this.lines, "line");
    this.process.stdin?.write(`${JSON.stringify(records)}\n`);
    await read;
  }

  /** The setting of a label that asks it. */
  get settings(): Record<string, string> {
    return { DNS_SERVER: `127.0.0.1:${this.port}` };
  }

  stop(): void {
    this.process.kill();
  }
}
