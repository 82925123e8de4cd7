// Holds slow connections open while reading beside them: node slow.mjs URL COUNT headers|body prints "P99_MS CLOSED
// LAST_CLOSED_AFTER_MS REFUSED", where REFUSED counts the 408 responses.
import { connect } from "node:net";

const [, , address, countText, slowPart] = process.argv;
const { hostname, port } = new URL(address);
const count = Number(countText);
let closed = 0;
let last = 0;
let refused = 0;
const BEGINNING = {
  headers: "GET / HTTP/1.1\r\nHost: ",
  body: `POST /api/contact HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`,
}[slowPart];
// Both send a byte a second; their timeouts differ.
const WATCHED_MS = { headers: 20_000, body: 30_000 }[slowPart];
for (let i = 0; i < count; i += 1) {
  const began = Date.now();
  const socket = connect(Number(port), hostname);
  let timer;
  socket.on("connect", () => {
    socket.write(BEGINNING);
    timer = setInterval(() => socket.write("a"), 1000);
  });
  socket.on("error", () => {});
  socket.on("data", (answer) => {
    if (answer.toString("latin1").startsWith("HTTP/1.1 408")) refused += 1;
  });
  socket.on("close", () => {
    clearInterval(timer);
    closed += 1;
    last = Math.max(last, Date.now() - began);
  });
  if (i % 100 === 99) await new Promise((wake) => setTimeout(wake, 20));
}
const times = [];
const end = Date.now() + WATCHED_MS;
while (Date.now() < end) {
  const began = performance.now();
  const answer = await fetch(`${address}/api/releases`);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  times.push(performance.now() - began);
  await new Promise((wake) => setTimeout(wake, 10));
}
times.sort((a, b) => a - b);
console.log(times[Math.floor(times.length * 0.99)].toFixed(1), closed, last, refused);
process.exit(0);
