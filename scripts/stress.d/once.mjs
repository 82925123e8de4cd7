// Rounds of scripts/stress.d/once: node once.mjs URL MAIL_FOLDER FIRST END. Prints for each single-use action in how many of
// the rounds FIRST to END it did not succeed exactly once. A response of 500 ends the program.
import { createHmac, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addressOf, clientOf, pause } from "./client.mjs";

const [, , url, folder, first, end] = process.argv;
const CLIENTS = 64;
const PASSWORD = "correct horse battery";
const ask = clientOf(url, { sockets: 80 });
let visitors = 0;

/** Sends a request from a new address; returns status, body and session cookie. */
async function post(path, body, sid, tries = 0) {
  visitors += 1;
  const from = addressOf((visitors >> 16) & 255, visitors & 65_535);
  const answer = await ask("POST", path, { body, from, headers: sid ? { cookie: `sid=${sid}` } : {} });
  if (answer.status === 500) throw new Error(`500 from ${path}: ${answer.bytes}`);
  // Retries while password hashing is busy.
  if (answer.status === 503 && tries < 20) {
    await pause(500);
    return post(path, body, sid, tries + 1);
  }
  const cookie = (answer.headers["set-cookie"] ?? []).find((line) => line.startsWith("sid="));
  return { status: answer.status, body: answer.bytes.length > 0 ? answer.json() : null, sid: cookie?.slice(4).split(";")[0] };
}

const together = (send) => Promise.all(Array.from({ length: CLIENTS }, (_, index) => send(index)));

/** The match of `pattern` in the newest mail to an address that has one. */
function mailed(email, pattern) {
  const found = readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .reverse()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .find((text) => text.includes(`To: ${email}`) && pattern.test(text))
    ?.match(pattern);
  if (!found) throw new Error(`nothing like ${pattern} to ${email}`);
  return found[1];
}
const link = (kind) => new RegExp(`#type=${kind}&token=([\\w-]{43})`);

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
const stepNow = () => Math.floor(Date.now() / 30_000);

const wrong = new Map();
const judge = (what, answers, succeeded) => {
  const isOnce = answers.filter(succeeded).length === 1;
  wrong.set(what, (wrong.get(what) ?? 0) + (isOnce ? 0 : 1));
};
const isTrusted = ({ body }) => body?.valid === true;

/** Signs up, confirms and signs in; returns the session. */
async function newAccount(email, username) {
  await post("/api/auth/sign-up", { email, password: PASSWORD, data: { username } });
  await post("/api/auth/confirm", { token: mailed(email, link("signup")) });
  return signIn(username);
}
const signIn = async (identifier) => (await post("/api/auth/sign-in", { identifier, password: PASSWORD })).sid;

/** Sets up the second factor, in all clients at once or in one. Returns its secret, its recovery codes, and the used step. */
async function setUp(sid, send) {
  const { body: setup } = await post("/api/auth/mfa-operations", { action: "generate_secret" }, sid);
  const step = stepNow();
  const enable = { action: "enable_mfa", mfaSecret: setup.secret, totpCode: codeOf(setup.secret, step) };
  const answers = await send(() => post("/api/auth/mfa-operations", enable, sid));
  const isSetUp = ({ body }) => body.status === "ok";
  if (answers.length > 1) judge("a setup of the second factor", answers, isSetUp);
  return { secret: setup.secret, codes: answers.find(isSetUp).body.recovery_codes, step };
}
const inOne = async (send) => [await send()];

// Actions with limited guesses use separate accounts; one for all would soon reach its limits.
for (let round = Number(first); round < Number(end); round += 1) {
  const username = `r${round}_${randomUUID().slice(0, 6)}`;
  const emailOf = (index) => `${username}.${index}@label.example`;
  const signUps = await together((index) => post("/api/auth/sign-up", { email: emailOf(index), password: PASSWORD, data: { username } }));
  judge("a username", signUps, ({ status }) => status === 200);
  const email = emailOf(signUps.findIndex(({ status }) => status === 200));

  const confirmation = mailed(email, link("signup"));
  const confirmed = await together(() => post("/api/auth/confirm", { token: confirmation }));
  judge("a confirmation link", confirmed, ({ body }) => body.status === "confirmed");

  await post("/api/auth/forgot", { email });
  const reset = mailed(email, link("recovery"));
  const resets = await together(() => post("/api/auth/reset", { token: reset }));
  judge("a reset link", resets, ({ status }) => status === 200);
  const { sid } = resets.find(({ status }) => status === 200);

  const moved = `${username}.moved@label.example`;
  await post("/api/auth/email-change", { email: moved }, sid);
  const change = mailed(moved, link("email_change"));
  const changes = await together(() => post("/api/auth/email-change/confirm", { token: change }));
  judge("a link to another address", changes, ({ status }) => status === 200);

  const { secret, step } = await setUp(await signIn(username), together);
  const verifying = await signIn(username);
  const code = codeOf(secret, step + 1);
  const verified = await together(() =>
    post("/api/auth/mfa-operations", { action: "verify_mfa", totpCode: code, request_id: randomUUID() }, verifying),
  );
  judge("a code of the authenticator", verified, ({ body }) => body.status === "ok");

  const other = `${username}_b`;
  const { codes } = await setUp(await newAccount(`${other}@label.example`, other), inOne);
  const recovering = await signIn(other);
  const recovered = await together(() =>
    post("/api/auth/mfa-recovery", { action: "verify_recovery_code", recoveryCode: codes[0] }, recovering),
  );
  judge("a recovery code", recovered, isTrusted);

  const third = `${username}_c`;
  await setUp(await newAccount(`${third}@label.example`, third), inOne);
  const asking = await signIn(third);
  await post("/api/auth/mfa-recovery", { action: "send_recovery_code" }, asking);
  const digits = mailed(`${third}@label.example`, /^\s*(\d{4} ?\d{4})\s*$/m).replace(" ", "");
  const mailedCodes = await together(() =>
    post("/api/auth/mfa-recovery", { action: "verify_recovery_code", recoveryCode: digits }, asking),
  );
  judge("a mailed code", mailedCodes, isTrusted);
}
for (const [what, rounds] of wrong) console.log(`${what}\t${rounds}`);
process.exit(0);
