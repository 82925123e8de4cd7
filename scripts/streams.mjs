// Opens event streams and prints for each when (milliseconds since the epoch) its first change arrived: node streams.mjs URL
// COUNT PART READY_FILE. Every twentieth stream is a different visitor (by X-Forwarded-For). Writes READY_FILE once all are
// open; exits once all saw a change, or 30 seconds after the first did.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";

const [, , address, countText, part, readyFile] = process.argv;
const { hostname, port } = new URL(address);
const count = Number(countText);
let open = 0;
let reached = 0;

function openStream(index) {
  return new Promise((opened, failed) => {
    const visitor = Math.floor(index / 20);
    const socket = connect(Number(port), hostname);
    let head = "";
    let state = "waiting";
    socket.setNoDelay(true);
    socket.on("error", failed);
    socket.on("connect", () => {
      socket.write(
        `GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n` +
          `X-Forwarded-For: 10.${part}.${visitor >> 8}.${visitor & 255}\r\n\r\n`,
      );
    });
    socket.on("data", (bytes) => {
      if (state === "done") return;
      head = (head + bytes.toString("latin1")).slice(-2000);
      if (state === "waiting" && head.includes("\r\n\r\n")) {
        if (!head.startsWith("HTTP/1.1 200")) return failed(new Error(head.slice(0, 200)));
        state = "open";
        open += 1;
        opened();
      }
      if (state === "open" && /event: (change|resync)/.test(head)) {
        state = "done";
        head = "";
        console.log(Date.now());
        reached += 1;
        if (reached === 1) setTimeout(() => process.exit(0), 30_000);
        if (reached === count) process.exit(0);
      }
    });
  });
}

// A few hundred at a time, because a listening queue is limited.
for (let from = 0; from < count; from += 200) {
  await Promise.all(Array.from({ length: Math.min(200, count - from) }, (_, i) => openStream(from + i)));
}
writeFileSync(readyFile, String(open));
