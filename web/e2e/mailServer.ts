// A real mail server (aiosmtpd), which takes every mail.
import { Letter } from "./mails.ts";
import { type PythonServer, startPython } from "./pythonServer.ts";

export class MailServer {
  /** Mails in the order of their arrival. */
  readonly letters: Letter[] = [];
  private readonly server: PythonServer;

  private constructor(server: PythonServer) {
    this.server = server;
    server.lines.on("line", (line) => this.letters.push(new Letter(JSON.parse(line).data)));
  }

  static async start(): Promise<MailServer> {
    return new MailServer(await startPython("smtp_server.py", "0"));
  }

  /** The settings of a label that sends through it. */
  get settings(): Record<string, string> {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.server.port}`,
      MAIL_FROM: "mail@label.example",
      CONTACT_TO: "label@label.example",
    };
  }

  stop(): void {
    this.server.process.kill();
  }
}
