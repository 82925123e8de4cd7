// The rounds behind scripts/stress.d/once: node once.mjs URL MAIL_FOLDER ROUNDS. Prints, for each secret, in how many rounds
// it did not succeed exactly once. An answer of 500 ends the program.
import { createHmac, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";

const [, , url, folder, roundsText] = process.argv;
const CLIENTS = 64;
const PASSWORD = "correct horse battery";
const agent = new Agent({ keepAlive: true, maxSockets: 80 });
let visitors = 0;

/** Sends a request from a place of its own and answers with status, body and session cookie. */
function send(method, path, body, sid, tries = 0) {
  visitors += 1;
  const headers = { "x-forwarded-for": `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}` };
  if (body) headers["content-type"] = "application/json";
  if (sid) headers.cookie = `sid=${sid}`;
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, agent, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 500) return reject(new Error(`500 from ${path}: ${text}`));
        // Busy hashing says so; the client comes back.
        if (answer.statusCode === 503 && tries < 20) {
          setTimeout(() => send(method, path, body, sid, tries + 1).then(resolve, reject), 500);
          return;
        }
        const cookie = (answer.headers["set-cookie"] ?? []).find((line) => line.startsWith("sid="));
        resolve({ status: answer.statusCode, body: text ? JSON.parse(text) : null, sid: cookie?.slice(4).split(";")[0] });
      });
    });
    asked.on("error", reject);
    asked.end(body ? JSON.stringify(body) : undefined);
  });
}

const post = (path, body, sid) => send("POST", path, body, sid);
const together = (ask) => Promise.all(Array.from({ length: CLIENTS }, (_, index) => ask(index)));

/** The newest link of a kind that was mailed to an address. */
function tokenTo(email, kind) {
  const link = new RegExp(`#type=${kind}&token=([\\w-]{43})`);
  const found = readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .reverse()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .find((text) => text.includes(email) && link.test(text))
    ?.match(link);
  if (!found) throw new Error(`no ${kind} link to ${email}`);
  return found[1];
}

/** The code of a step (RFC 6238). */
function codeOf(secret, step) {
  let bits = "";
  for (const letter of secret) bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const wrong = { "a username": 0, "a confirmation link": 0, "a reset link": 0, "a setup of the second factor": 0, "a code": 0 };
const judge = (what, answers, succeeded) => {
  if (answers.filter(succeeded).length !== 1) wrong[what] += 1;
};

for (let round = 0; round < Number(roundsText); round += 1) {
  const username = `r${round}_${randomUUID().slice(0, 6)}`;
  const emailOf = (index) => `${username}.${index}@label.example`;
  const signUps = await together((index) =>
    post("/api/auth/sign-up", { email: emailOf(index), password: PASSWORD, data: { username } }),
  );
  judge("a username", signUps, ({ status }) => status === 200);
  const email = emailOf(signUps.findIndex(({ status }) => status === 200));

  const confirmation = tokenTo(email, "signup");
  const confirmed = await together(() => post("/api/auth/confirm", { token: confirmation }));
  judge("a confirmation link", confirmed, ({ body }) => body.status === "confirmed");

  await post("/api/auth/forgot", { email });
  const reset = tokenTo(email, "recovery");
  const resets = await together(() => post("/api/auth/reset", { token: reset }));
  judge("a reset link", resets, ({ status }) => status === 200);
  const { sid } = resets.find(({ status }) => status === 200);

  const { body: setup } = await post("/api/auth/mfa-operations", { action: "generate_secret" }, sid);
  const step = Math.floor(Date.now() / 30_000);
  const enable = { action: "enable_mfa", mfaSecret: setup.secret, totpCode: codeOf(setup.secret, step) };
  const enabled = await together(() => post("/api/auth/mfa-operations", enable, sid));
  judge("a setup of the second factor", enabled, ({ body }) => body.status === "ok");

  const signedIn = await post("/api/auth/sign-in", { identifier: username, password: PASSWORD });
  const code = codeOf(setup.secret, step + 1);
  const verified = await together(() =>
    post("/api/auth/mfa-operations", { action: "verify_mfa", totpCode: code, request_id: randomUUID() }, signedIn.sid),
  );
  judge("a code", verified, ({ body }) => body.status === "ok");
}
for (const [what, rounds] of Object.entries(wrong)) console.log(`${what}\t${rounds}`);
