// Attacks on connections: invalid requests, slow ones, unfinished ones, and short-lived streams.
import { randomBytes } from "node:crypto";
import { pause } from "../client.mjs";
import { addressOf, pick } from "./world.mjs";

const METHODS = ["FOO", "PROPFIND", "TRACE", "CONNECT", "PATCH", "DELETE", "PUT", "OPTIONS", "M-SEARCH", "get", "HEAD"];
const PATHS = ["/", "/api/releases", "/api/auth/sign-in", "/api/demos", "/media/releases/x", "/nowhere", "/api/admin/artists", "*", "//x"];

/** Every method at every path. */
export async function methods(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const line = `${pick(METHODS)} ${pick(PATHS)}?${randomBytes(6).toString("hex")} HTTP/1.1`;
    await world.open("methods", addressOf(11, number % 500), 5000, (socket) =>
      socket.write(`${line}\r\nHost: ${world.host}\r\nConnection: close\r\n\r\n`),
    );
    await pause(40);
  }
}

/** Ambiguous or meaningless requests. */
export async function nonsense(world) {
  const head = (line) => `${line}\r\nHost: ${world.host}\r\n`;
  const requests = [
    () => `${head("POST /api/contact HTTP/1.1")}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    () => `${head("GET / HTTP/1.1")}X: ${"a".repeat(40_000)}\r\n\r\n`,
    () => `${head(`GET /${"a".repeat(40_000)} HTTP/1.1`)}\r\n`,
    () => `GET / HTTP/1.1\nHost: ${world.host}\n\n`,
    () => "GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n",
    () => `${head("GET /api/releases HTTP/1.1")}\r\n`.repeat(100),
    () => randomBytes(2000),
    () => Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]), randomBytes(500)]),
    () => `${head("POST /api/contact HTTP/1.1")}Content-Type: application/json\r\nContent-Length: 16000\r\nConnection: close\r\n\r\n${"[".repeat(16_000)}`,
    () => `${head("POST /api/contact HTTP/1.1")}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  ];
  for (let number = 0; world.isRunning; number += 1) {
    await world.open("nonsense", addressOf(12, number % 500), 2000, (socket) => socket.write(pick(requests)()));
    await pause(50);
  }
}

/** Sends headers and bodies at a byte a second, dozens at a time. */
export async function slow(world, number) {
  const form = `POST /api/contact HTTP/1.1\r\nHost: ${world.host}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`;
  for (let round = 0; world.isRunning; round += 1) {
    const [kind, begin] = pick([["slow headers", "GET / HTTP/1.1\r\nX: "], ["slow bodies", form]]);
    let timer;
    await world.open(kind, addressOf(13, number), 60_000, (socket) => {
      socket.write(begin);
      timer = setInterval(() => socket.write("a"), 1000);
    });
    clearInterval(timer);
  }
}

/** Opens idle connections and closes or aborts them, during a request or before one. */
export async function halfOpen(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const heldMs = Math.random() * 20_000;
    void world.open("half-open", addressOf(14, number % 1000), heldMs + 1000, (socket) => {
      if (number % 3 === 0) socket.write("GET / HT");
      setTimeout(() => (number % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()), heldMs);
    });
    await pause(40);
  }
}

/** Opens and closes live streams; every tenth stays for a while without reading. */
export async function streams(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const isDeaf = number % 10 === 0;
    void world.open("streams", addressOf(15, number % 300), isDeaf ? 30_000 : Math.random() * 3000, (socket) => {
      socket.write(`GET /api/events?after=${number} HTTP/1.1\r\nHost: ${world.host}\r\n\r\n`);
      if (isDeaf) socket.pause();
    });
    await pause(100);
  }
}
