// An evening of scripts/stress.d/evening: node evening.mjs BINARY FOLDER PORT PEOPLE, with the password of admin@label.example in PASSWORD.
// Serves FOLDER, and prints for each promise, separated by tabs: its name, what was measured, and `true` or `false`.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { clientOf, pause, signIn } from "./client.mjs";

const [, , binary, folder, port, peopleText] = process.argv;
const people = Number(peopleText);
const url = `http://127.0.0.1:${port}`;
const log = `${folder}.server.log`;
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));
process.on("SIGTERM", () => process.exit(1));

function promise(what, measured, expected) {
  const [is, was] = [measured, expected].map((value) => JSON.stringify(value));
  console.log(`${what}\t${is}${is === was ? "" : `, expected ${was}`}\t${is === was}`);
}

async function until(what, found, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) {
    const value = await found();
    if (value) return value;
  }
  throw new Error(`in vain: ${what}`);
}

/** A server of the tests; each line that it prints is an event. */
async function helper(script, ...args) {
  const child = spawn("/usr/bin/python3", [`crates/server/tests/${script}`, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  children.add(child);
  const events = [];
  createInterface({ input: child.stdout }).on("line", (line) => events.push(JSON.parse(line)));
  await until(script, () => events.length > 0);
  return { events, port: events[0].port, say: (line) => child.stdin.write(`${line}\n`) };
}

const smtp = await helper("smtp_server.py", "0");
const imap = await helper("imap_server.py");
const text = (mail) => mail.data.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
const mails = (subject) => smtp.events.filter((mail) => mail.data && new RegExp(`^Subject: .*${subject}`, "m").test(mail.data));
const header = (mail, name) => mail.data.replace(/\r?\n[ \t]+/g, " ").match(new RegExp(`^${name}: (.*?)\r?$`, "m"))?.[1];

let send;
let token;
async function serve() {
  const env = {
    ...process.env,
    DEADWAX_LISTEN: `127.0.0.1:${port}`,
    DEADWAX_DATA_DIR: folder,
    DEADWAX_PUBLIC_URL: url,
    DEADWAX_LOG: "debug",
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: "mail@label.example",
    CONTACT_TO: "label@label.example",
    BOUNCE_ADDRESS: "bounces@label.example",
    BOUNCE_URL: `imap://bounces:secret@127.0.0.1:${imap.port}`,
  };
  const child = spawn(binary, ["serve"], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => appendFileSync(log, bytes));
  send = clientOf(url);
  await until("the server's start", async () => (await send("GET", "/readyz").catch(() => null))?.status === 200);
  return child;
}

async function call(method, path, body, headers) {
  const answer = await send(method, path, { body, headers, token });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes}`);
  return answer.bytes.length > 0 ? answer.json() : null;
}

/** Runs SQL beside the program; the lines that it prints. */
function sql(statement) {
  const [command, ...args] = process.env.DATABASE_URL
    ? ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement, process.env.DATABASE_URL]
    : ["sqlite3", "-cmd", ".timeout 5000", database(), statement];
  return execFileSync(command, args, { encoding: "utf8" }).trim();
}
const database = () => join(folder, readdirSync(folder).find((name) => name.endsWith(".db")));

// Mailchimp's ZIP: half of the subscribers confirmed there, half did not.
const at = "2024-01-31 12:34:56";
const confirmedThere = Array.from({ length: people / 2 - 1 }, (_, n) => `there-${n}@fans.example,${at},${at}`);
const unconfirmed = Array.from({ length: people / 2 }, (_, n) => `asked-${n}@fans.example,${at},`);
const gone = "550@gone.example";
const left = Array.from({ length: people / 20 }, (_, n) => `left-${n}@fans.example,${at}`);
const parts = mkdtempSync(`${folder}.zip`);
const files = {
  "subscribed_email_audience_export_1a2b.csv": ["Email Address,OPTIN_TIME,CONFIRM_TIME", `${gone},${at},${at}`, ...confirmedThere, ...unconfirmed],
  "unsubscribed_email_audience_export_1a2b.csv": ["Email Address,UNSUB_TIME", ...left],
  "cleaned_email_audience_export_1a2b.csv": ["Email Address,CLEAN_TIME", `cleaned@fans.example,${at}`],
};
for (const [name, lines] of Object.entries(files)) writeFileSync(join(parts, name), lines.join("\n"));
execFileSync("python3", ["-m", "zipfile", "-c", join(parts, "audience.zip"), ...Object.keys(files).map((name) => join(parts, name))]);

let server = await serve();
token = await signIn(send, "admin@label.example", process.env.PASSWORD);
await call("PATCH", "/api/admin/newsletter/settings", { letters_a_second: 50, confirmations_a_day: 4800, postal_address: "Static Row 4" });
const form = new FormData();
form.set("file", new Blob([readFileSync(join(parts, "audience.zip"))]), "audience.zip");
const encoded = new Response(form);
const multipart = Buffer.from(await encoded.arrayBuffer());
const imported = await call("POST", "/api/admin/newsletter/imports", multipart, { "content-type": encoded.headers.get("content-type") });
promise(
  "confirmed, unconfirmed, and kept out by the import",
  [imported.confirmed, imported.unconfirmed, imported.suppressed],
  [confirmedThere.length + 1, unconfirmed.length, left.length + 1],
);

// Confirmations, 200 an hour: the bound is lifted as if the hours had passed. Those that wait are looked for every minute.
const pressed = Math.round(people * 0.15);
const ASKED = "may we write to you";
await call("POST", "/api/admin/newsletter/confirmations", {});
await until(
  "confirmation mails",
  async () => {
    const before = smtp.events.length;
    await pause(3000);
    if (smtp.events.length === before) sql("DELETE FROM limits WHERE key = 'newsletter-confirm-global'");
    return mails(ASKED).length >= pressed;
  },
  200,
);
const asked = mails(ASKED).slice(0, pressed);
for (const mail of asked) {
  const path = new URL(text(mail).match(/https?:\/\/\S+\/newsletter\/confirm\/[\w-]+/)[0]).pathname;
  await send("GET", path);
  const answer = await send("POST", path, { headers: { "content-type": "application/x-www-form-urlencoded" }, body: Buffer.alloc(0) });
  if (answer.status !== 200) throw new Error(`confirming: ${answer.status}`);
}
const counts = await call("GET", "/api/admin/newsletter/settings");
promise("confirmed, of those in the list", counts.confirmed, confirmedThere.length + 1 + pressed);

// A release is announced.
const artist = await call("POST", "/api/admin/artists", { name: "Kesto Vann" });
const release = await call("POST", "/api/admin/releases", { title: "Lead-Out Ritual", artist_id: artist.id, release_date: "2026-01-02", publish: "now" });
const letter = await call("POST", "/api/admin/letters", { release: release.id });
const path = `/api/admin/letters/${letter.id}`;
const { subject, preheader, parts: letterParts } = letter;
const preview = await call("POST", "/api/admin/letters/preview", { subject, preheader, parts: letterParts });
promise("the preview names the release, as HTML and as text", [preview.html, preview.text].map((form) => form.includes("Lead-Out Ritual")), [true, true]);
await call("POST", `${path}/test`);
await until("the test mail", () => mails("\\[TEST\\]").length === 1);
const { version } = await call("GET", `${path}/sending`);
const due = new Date(Date.now() + 3000).toISOString();
const scheduled = await call("POST", `${path}/send`, { goes_out_at: due }, { "if-match": `"${version}"` });
promise("the letter is", scheduled.state, "scheduled");
promise("recipients that it would go to", scheduled.counts.recipients, counts.confirmed);

// It goes, is paused, killed, started and resumed.
const letters = () => smtp.events.filter((mail) => mail.data && header(mail, "List-Id"));
await until("letters", () => letters().length > people / 20);
await call("POST", `${path}/sending`, { step: "pause" });
await pause(500);
const held = letters().length;
await pause(2000);
promise("letters in the two seconds after PAUSE", letters().length - held, 0);
const [leaving, bouncing, complaining] = letters();
const report = (kind, mail, more) => {
  const id = header(mail, "Message-ID");
  return [
    "From: MAILER-DAEMON@mx.example",
    `To: ${mail.sender}`,
    `Message-ID: <${kind}@mx.example>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=${kind}; boundary="b"`,
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "About your letter.",
    "",
    "--b",
    `Content-Type: message/${kind}`,
    "",
    ...more,
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: ${id}`,
    "",
    "--b--",
    "",
  ].join("\r\n");
};
const status = ["Reporting-MTA: dns; mx.example", "", `Final-Recipient: rfc822; ${bouncing.to[0]}`, "Action: failed", "Status: 5.1.1"];
const abuse = ["Feedback-Type: abuse", "User-Agent: Mx/1", "Version: 1", `Original-Rcpt-To: ${complaining.to[0]}`];
imap.say(JSON.stringify(report("delivery-status", bouncing, status)));
imap.say(JSON.stringify(report("feedback-report", complaining, abuse)));
imap.say(JSON.stringify(`From: max@fans.example\r\nTo: bounces@label.example\r\nSubject: Hello\r\n\r\nNice record!\r\n`));
server.kill("SIGKILL");
await pause(500);
server = await serve();
promise("the letter after kill -9 and start is", (await call("GET", `${path}/sending`)).state, "paused");
// The mailbox is read at the start.
await until("the mailbox", () => imap.events.filter(({ seen }) => seen).length === 2);
await call("POST", `${path}/sending`, { step: "resume" });
const [, link] = header(leaving, "List-Unsubscribe").match(/^<(http[^>]+)>/);
const body = Buffer.from("List-Unsubscribe=One-Click");
const leave = await send("POST", link.slice(url.length), { body, headers: { "content-type": "application/x-www-form-urlencoded" } });
promise("one-click leave answers", [leave.status, leave.bytes.length], [200, 0]);
const ended = await until("the letter's end", async () => {
  const sending = await call("GET", `${path}/sending`);
  return sending.state === "sent" && sending;
}, 120);
const reached = new Set(letters().map(({ to: [to] }) => to));
const ids = new Set(letters().map((mail) => header(mail, "Message-ID")));
promise("recipients, as the report counts", ended.counts, {
  recipients: counts.confirmed,
  waiting: 0,
  sent: reached.size,
  refused: 0,
  bounced: 2,
  left: 2,
  skipped: 0,
  perhaps_twice: letters().length - reached.size,
});
promise("handed over: each but the one whose address is gone", reached.size, counts.confirmed - 1);
promise("Message-IDs", ids.size, reached.size);
promise("codes", ended.refusals, [{ code: "5.1.1", count: 2 }]);
const reasons = sql(
  "SELECT inactive_reason, count(*) FROM newsletter_subscriptions WHERE NOT active AND email NOT LIKE 'left-%' GROUP BY 1 ORDER BY 1",
);
promise("why subscriptions ended", reasons.split("\n"), ["bounced|2", "complained|1", "left|1"]);

// The archive, as a visitor.
const archive = (await send("GET", "/api/letters")).json().items;
const page = await send("GET", `/letters/${archive[0].slug}`);
const feed = await send("GET", "/letters.xml");
promise("letters in the archive", archive.length, 1);
promise("the archive's page and its feed name the letter", [page, feed].map(({ bytes }) => bytes.includes("Lead-Out Ritual")), [true, true]);

// A recipient who confirmed here is erased.
const [erased] = asked[asked.length - 1].to;
const of = `newsletter_subscriptions WHERE email = '${erased}'`;
const id = (column) => (process.env.DATABASE_URL ? column : `hex(${column})`);
const tokens = sql(`SELECT leave_token FROM ${of}`);
const outboxIds = sql(`SELECT ${id("outbox_id")} FROM newsletter_letters WHERE subscription_id IN (SELECT id FROM ${of})`).split("\n");
const [{ id: subscriber }] = (await call("GET", `/api/admin/newsletter?q=${encodeURIComponent(erased)}`)).items;
await call("DELETE", `/api/admin/newsletter/${subscriber}`);
promise("mails about the erased one before", outboxIds.length, 1);
promise("mails about the erased one in the outbox", sql(`SELECT count(*) FROM outbox WHERE ${id("id")} IN ('${outboxIds.join("','")}')`), "0");
promise("the letter's count of recipients after the erasure", (await call("GET", `${path}/sending`)).counts.recipients, counts.confirmed);
server.kill("SIGTERM");
await new Promise((gone) => server.once("exit", gone));
const dump = process.env.DATABASE_URL
  ? execFileSync("pg_dump", [process.env.DATABASE_URL], { maxBuffer: 2 ** 28 })
  : execFileSync("sqlite3", [database(), ".dump"], { maxBuffer: 2 ** 28 });
const found = (bytes) => [erased, tokens].some((secret) => bytes.includes(secret));
const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const naming = stored.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).filter((name) => found(readFileSync(name)));
promise("rows that name the erased one", found(dump), false);
promise("files that do, of the data folder, database included", naming, []);
promise("the log does", found(readFileSync(log)), false);
const named = smtp.events.flatMap(({ to }) => to ?? []).filter((to) => to !== "admin@label.example");
const lines = readFileSync(log, "utf8");
promise("addresses of subscribers in the log", [...new Set(named)].filter((to) => lines.includes(to)), []);
process.exit(0);
