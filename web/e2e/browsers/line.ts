// The line between a browser and a label, which a test can cut. Drivers other than Chromium's cannot emulate that.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Line {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isDown = false;
  private limit = Number.POSITIVE_INFINITY;
  /** How often an upload was cut. */
  cuts = 0;

  /** The port of the label. */
  target = 0;

  private constructor() {
    this.server = createServer((browser) => {
      if (this.isDown) return void browser.destroy();
      const label = connect(this.target, "127.0.0.1");
      let sent = 0;
      browser.on("data", (bytes) => {
        sent += bytes.length;
        if (sent < this.limit) return;
        this.limit = Number.POSITIVE_INFINITY;
        this.cuts += 1;
        browser.destroy();
      });
      browser.pipe(label).pipe(browser);
      for (const [socket, other] of [
        [browser, label],
        [label, browser],
      ] as const) {
        this.sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      }
    });
  }

  static async open(): Promise<Line> {
    const line = new Line();
    line.server.listen(0, "127.0.0.1");
    await once(line.server, "listening");
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Cuts the next connection that sends more than this, once. */
  cutAfter(bytes: number): void {
    this.limit = bytes;
  }

  /** Ends every connection, and each new one until `mend`. */
  cut(): void {
    this.isDown = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isDown = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
