// A real mail server (aiosmtpd), which takes every mail.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Letter } from "./mails.ts";

const script = fileURLToPath(new URL("../../crates/server/tests/smtp_server.py", import.meta.url));

export class MailServer {
  /** Mails in the order of their arrival. */
  readonly letters: Letter[] = [];
  private readonly process: ChildProcess;
  private readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.port = port;
  }

  static async start(): Promise<MailServer> {
    // Debian's packages are installed for Debian's own Python.
    const process = spawn("/usr/bin/python3", [script, "0"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: process.stdout });
    const [first] = (await once(lines, "line")) as [string];
    const server = new MailServer(process, JSON.parse(first).port);
    lines.on("line", (line) => server.letters.push(new Letter(JSON.parse(line).data)));
    return server;
  }

  /** The settings of a label that sends through it. */
  get settings(): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: "mail@label.example",
      CONTACT_TO: "label@label.example",
    };
  }

  stop(): void {
    this.process.kill();
  }
}
