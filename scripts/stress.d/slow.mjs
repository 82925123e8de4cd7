// Holds slow connections open while reading beside them: node slow.mjs URL COUNT prints
// "P99_MS CLOSED LAST_CLOSED_AFTER_MS".
import { connect } from "node:net";

const [, , address, countText] = process.argv;
const { hostname, port } = new URL(address);
const count = Number(countText);
let closed = 0;
let last = 0;
for (let i = 0; i < count; i += 1) {
  const began = Date.now();
  const socket = connect(Number(port), hostname);
  let timer;
  socket.on("connect", () => {
    socket.write("GET / HTTP/1.1\r\nHost: ");
    timer = setInterval(() => socket.write("a"), 1000);
  });
  socket.on("error", () => {});
  socket.resume();
  socket.on("close", () => {
    clearInterval(timer);
    closed += 1;
    last = Math.max(last, Date.now() - began);
  });
  if (i % 100 === 99) await new Promise((wake) => setTimeout(wake, 20));
}
const times = [];
const end = Date.now() + 20_000;
while (Date.now() < end) {
  const began = performance.now();
  const answer = await fetch(`${address}/api/releases`);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  times.push(performance.now() - began);
  await new Promise((wake) => setTimeout(wake, 10));
}
times.sort((a, b) => a - b);
console.log(times[Math.floor(times.length * 0.99)].toFixed(1), closed, last);
process.exit(0);
