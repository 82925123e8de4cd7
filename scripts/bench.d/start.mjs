// Starts the server repeatedly and prints the milliseconds until GET / returns 200: node start.mjs BINARY ROUNDS. Settings come
// from the environment.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const [, , binary, rounds] = process.argv;

const freePort = () =>
  new Promise((found) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });

// Sends one request on a new connection; false if the connection is refused.
const answers = (port) =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => done(false));
    socket.on("connect", () => socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`));
    socket.once("data", (bytes) => {
      socket.destroy();
      done(bytes.toString("latin1").startsWith("HTTP/1.1 200"));
    });
  });

for (let round = 0; round < Number(rounds); round += 1) {
  const port = await freePort();
  const began = process.hrtime.bigint();
  const server = spawn(binary, ["serve"], { stdio: "ignore", env: { ...process.env, DEADWAX_LISTEN: `127.0.0.1:${port}` } });
  while (!(await answers(port))) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
  }
  console.log(Number(process.hrtime.bigint() - began) / 1e6);
  const gone = new Promise((resolved) => server.once("exit", resolved));
  server.kill("SIGTERM");
  await gone;
}
