// Attacks on accounts: wrong passwords, endless renewals, endless uploads of avatars, hundreds of forms.
import { request } from "node:http";
import { clientOf, pause, signIn } from "../client.mjs";
import { addressOf, pick } from "./world.mjs";

async function post(world, kind, path, body, address, token) {
  const send = clientOf(world.url, { address, sockets: 1 });
  try {
    const answer = await send("POST", path, { body, token, headers: { connection: "close" } });
    world.count(kind, answer.status);
    return answer;
  } catch {
    world.count(kind, "broke off");
    return undefined;
  }
}

/** Spreads `count` sign-ins over the available time: unknown accounts, and known ones with a wrong password. */
export async function signIns(world, count) {
  const everyMs = (world.until - Date.now()) / count;
  for (let number = 0; number < count && world.isRunning; number += 1) {
    const identifier = number % 3 === 0 ? "victim@label.example" : `nobody${number}@label.example`;
    // A dozen from each address, whose burst is ten.
    void post(world, "sign-ins", "/api/auth/sign-in", { identifier, password: `wrong password ${number}` }, addressOf(18, Math.floor(number / 12)));
    await pause(everyMs);
  }
}

/** Renews a session as fast as possible, and with invalid tokens. */
export async function renewals(world, email, password) {
  const address = addressOf(19, 1);
  let token = await signIn(clientOf(world.url, { address }), email, password);
  while (world.isRunning) {
    const answer = await post(world, "renewals", "/api/auth/refresh", undefined, address, token);
    if (answer?.status === 200) token = answer.json().access_token ?? token;
    await post(world, "renewals of nothing", "/api/auth/refresh", undefined, address, "A".repeat(43));
    await pause(100);
  }
}

/** Uploads avatars without end. */
export async function endlessAvatars(world, email, password) {
  const address = addressOf(20, 1);
  const token = await signIn(clientOf(world.url, { address }), email, password);
  const chunk = Buffer.alloc(65_536, 0xff);
  while (world.isRunning) {
    await new Promise((ended) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
      const options = { method: "POST", agent: false, localAddress: address, headers };
      const asked = request(new URL("/api/profile/avatar", world.url), options, (answer) => {
        world.count("endless avatars", answer.statusCode);
        answer.resume();
        answer.on("close", ended);
      });
      asked.on("error", () => {
        world.count("endless avatars", "broke off");
        ended();
      });
      asked.write('--b\r\nContent-Disposition: form-data; name="file"; filename="me.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n', "latin1");
      const more = () => {
        while (!asked.destroyed && asked.write(chunk));
        if (!asked.destroyed) asked.once("drain", more);
      };
      more();
      setTimeout(() => asked.destroy(), 10_000);
    });
    await pause(3000);
  }
}

/** Sends forms as strangers, far above the limits. */
export async function forms(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const [path, body] = pick([
      ["/api/newsletter", { subscriber_email: `n${number}@label.example` }],
      ["/api/contact", { name: "Max", email: "max@label.example", message: "x".repeat(4000) }],
      ["/api/contact", { name: "M", email: "nobody", message: "" }],
      ["/api/terminal", { message: `latest ${number} `.repeat(40) }],
      ["/api/auth/forgot", { email: `n${number}@label.example` }],
      ["/api/auth/confirm", { token: "A".repeat(43) }],
      ["/api/auth/reset", { token: "A".repeat(43) }],
      ["/api/csp-report", { "csp-report": { "violated-directive": "x".repeat(9000) } }],
    ]);
    await post(world, "forms", path, body, addressOf(21, number % 2000));
    await pause(100);
  }
}

const tus = { "tus-resumable": "1.0.0" };
const bytes = { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": 0 };
const named = ["artist_name TWF4", "email bWF4QGxhYmVsLmV4YW1wbGU=", "filename c2V0Lndhdg=="].join(",");

/** Announces as much as all demos have room for, and sends one byte of each. */
export async function heldRoom(world) {
  for (let number = 0; number < 300 && world.isRunning; number += 1) {
    const send = clientOf(world.url, { address: addressOf(23, number), sockets: 1 });
    try {
      const headers = { ...tus, "upload-length": 73_400_320, "upload-metadata": named };
      const announced = await send("POST", "/api/demos", { headers });
      world.count("held room", announced.status);
      const { location } = announced.headers;
      if (location) await send("PATCH", location, { headers: { ...bytes, connection: "close" }, body: Buffer.alloc(1) });
    } catch {
      world.count("held room", "broke off");
    }
  }
}

/** Uploads that send nothing, break off, or are abandoned. */
export async function emptyUploads(world) {
  for (let number = 0; world.isRunning; number += 1) {
    const address = addressOf(22, number % 5000);
    const send = clientOf(world.url, { address, sockets: 2 });
    const ask = async (method, path, headers, body) => {
      try {
        const answer = await send(method, path, { headers: { connection: "close", ...headers }, body });
        world.count("empty uploads", answer.status);
        return answer;
      } catch {
        world.count("empty uploads", "broke off");
        return undefined;
      }
    };
    await ask("POST", "/api/demos", { ...tus, "upload-length": 0, "upload-metadata": named });
    const announced = await ask("POST", "/api/demos", { ...tus, "upload-length": 1_000_000, "upload-metadata": named });
    const location = announced?.headers.location;
    for (let round = 0; location && round < 10; round += 1) await ask("PATCH", location, bytes, Buffer.alloc(0));
    if (location) {
      await world.open("cut uploads", address, 500, (socket) => {
        const head = Object.entries({ ...bytes, host: world.host, "content-length": 1_000_000 }).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.write(`PATCH ${location} HTTP/1.1\r\n${head.join("")}\r\n${"a".repeat(10_000)}`);
      });
      if (number % 4 !== 0) await ask("DELETE", location, tus);
    }
    await pause(1500);
  }
}
