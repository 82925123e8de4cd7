// A DNS server that knows the records of a test and no other name.
import { once } from "node:events";
import { type PythonServer, startPython } from "./pythonServer.ts";

type Records = Readonly<Record<string, { TXT?: string[]; MX?: [number, string][]; A?: string[] }>>;

export class DnsServer {
  private readonly server: PythonServer;

  private constructor(server: PythonServer) {
    this.server = server;
  }

  static async start(): Promise<DnsServer> {
    return new DnsServer(await startPython("dns_server.py"));
  }

  /** Sets the records of some names. */
  async set(records: Records): Promise<void> {
    const read = once(this.server.lines, "line");
    this.server.process.stdin?.write(`${JSON.stringify(records)}\n`);
    await read;
  }

  /** The setting of a label that asks it. */
  get settings(): Record<string, string> {
    return { DNS_SERVER: `127.0.0.1:${this.server.port}` };
  }

  stop(): void {
    this.server.process.kill();
  }
}
