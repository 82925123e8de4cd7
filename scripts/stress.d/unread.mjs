// Requests a file many times without reading it, while an ordinary visitor requests /livez: node unread.mjs URL PATH
// http1|http2 CONNECTIONS STREAMS PID prints "P99_MS FAILED CLOSED LAST_CLOSED_AFTER_MS DESCRIPTORS", where FAILED counts the
// visitor's requests without a response and DESCRIPTORS is the maximum held open by process PID.
import { readdirSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";

const [, , address, path, protocol, connectionsText, streamsText, pid] = process.argv;
const { hostname, port, protocol: scheme, host } = new URL(address);
const streams = Number(streamsText);
const connections = Number(connectionsText);
let closed = 0;
let last = 0;

function noteClosed(began) {
  closed += 1;
  last = Math.max(last, Date.now() - began);
}

// Pipelined requests; the responses fill the sockets' buffers.
function holdHttp1() {
  const began = Date.now();
  const plain = { port: Number(port), host: hostname };
  const socket = scheme === "https:" ? connectTls({ ...plain, ALPNProtocols: ["http/1.1"] }) : connectTcp(plain);
  socket.pause();
  socket.on("error", () => {});
  socket.on("close", () => noteClosed(began));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(streams));
  // Without reading, a closed connection only shows when something is written.
  const probe = setInterval(() => (socket.destroyed ? clearInterval(probe) : socket.write("\r\n")), 1000);
}

function holdHttp2() {
  const began = Date.now();
  const session = connectHttp2(address, { settings: { initialWindowSize: 0 } });
  session.on("error", () => {});
  session.on("close", () => noteClosed(began));
  for (let i = 0; i < streams; i += 1) {
    const stream = session.request({ ":path": path });
    stream.on("error", () => {});
  }
}

for (let i = 0; i < connections; i += 1) {
  if (protocol === "http1") holdHttp1();
  else holdHttp2();
  if (i % 50 === 49) await new Promise((wake) => setTimeout(wake, 20));
}
const times = [];
let failed = 0;
let descriptors = 0;
const end = Date.now() + 50_000;
while (Date.now() < end && closed < connections) {
  const began = performance.now();
  const answer = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(5000) }).catch(() => ({ ok: false }));
  if (answer.ok) times.push(performance.now() - began);
  else failed += 1;
  descriptors = Math.max(descriptors, readdirSync(`/proc/${pid}/fd`).length);
  await new Promise((wake) => setTimeout(wake, 20));
}
times.sort((a, b) => a - b);
console.log((times[Math.floor(times.length * 0.99)] ?? 0).toFixed(1), failed, closed, last, descriptors);
process.exit(0);
