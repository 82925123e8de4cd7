// Opens event streams and never reads from them: node deaf.mjs URL COUNT READY_FILE. Runs until it is stopped.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";

const [, , address, count, readyFile] = process.argv;
const { hostname, port } = new URL(address);
for (let from = 0; from < Number(count); from += 100) {
  await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const visitor = Math.floor((from + i) / 20);
      const socket = connect(Number(port), hostname);
      socket.pause();
      socket.on("error", () => {});
      return new Promise((opened) =>
        socket.on("connect", () => {
          socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 10.9.${visitor >> 8}.${visitor & 255}\r\n\r\n`, opened);
        }),
      );
    }),
  );
}
writeFileSync(readyFile, "");
setInterval(() => {}, 60_000);
