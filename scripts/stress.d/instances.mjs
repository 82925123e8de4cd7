// All users of the label while scripts/stress.d/instances breaks its parts:
// node instances.mjs URL INSTANCE,INSTANCE SECONDS READY_FILE MAIL_FOLDER,MAIL_FOLDER KILLS_FILE with the password of all
// accounts in PASSWORD. SECONDS is the approximate duration; KILLS_FILE contains the times when an instance was killed. Ends on
// SIGTERM, compares acknowledged writes with stored ones, and prints for each promise, separated by tabs: its name, the count,
// and its maximum.
import { readFileSync, writeFileSync } from "node:fs";
import { clientOf, pause, percentile, signIn } from "./client.mjs";
import { Listener } from "./users/listener.mjs";
import { comeAndGo, Letters, Session } from "./users/people.mjs";
import { Releases } from "./users/releases.mjs";
import { Tally } from "./users/tally.mjs";
import { Uploads } from "./users/uploads.mjs";

const [, , url, instanceUrls, secondsText, readyFile, mailFolders, killsFile] = process.argv;
const msEach = (count) => (Number(secondsText) * 1000) / count;
const send = clientOf(url);
const password = process.env.PASSWORD;
const tally = new Tally();
const world = { url, send, tally, password, isRunning: true };
process.on("SIGTERM", () => {
  world.isRunning = false;
});

world.token = await signIn(send, "admin@label.example", password);
const releases = new Releases(world);
await releases.storeCover();
const uploads = new Uploads(world);
const letters = new Letters(world);
const sessions = Array.from({ length: 12 }, (_, number) => new Session(world, `stays${number}@label.example`, number));
for (const session of sessions) await session.begin();
const listeners = Array.from({ length: 8 }, (_, number) => new Listener(world, number));
const listening = listeners.map((listener) => listener.listen());
while (listeners.some(({ opened }) => opened === 0)) await pause(50);
const writing = [releases.write(), releases.write(), releases.edit()];
while (releases.acknowledged.length < 10) await pause(50);
const working = [
  ...writing,
  ...[0, 1, 2].map((number) => releases.read(number)),
  ...[0, 1].map(() => uploads.send()),
  ...sessions.map((session) => session.keep()),
  ...[0, 1].map((number) => comeAndGo(world, `comes${number}@label.example`, number)),
  // The limits are 200 subscriptions and 60 messages an hour.
  letters.subscribe(Math.max(500, msEach(190))),
  letters.write(Math.max(1000, msEach(55))),
];
writeFileSync(readyFile, "");
await Promise.all(working);
// Streams that were waiting to reopen still receive the last changes.
await pause(15_000);
for (const listener of listeners) listener.close();
await Promise.all(listening);

const instances = instanceUrls.split(",").map((instance) => ({ send: clientOf(instance, { host: new URL(url).host }), token: world.token }));
const counts = await Promise.all(instances.map((instance) => releases.count(instance.send)));
const demos = await uploads.compare(instances);
const judged = listeners.map((listener) => listener.judge(releases.acknowledged));
const delays = judged.flatMap((of) => of.delays);
// A response in progress at a killed instance breaks off, which the client can see.
const kills = readFileSync(killsFile, "utf8").trim().split("\n").map(Number);
const brokenOff = tally.brokenOff.filter((at) => !kills.some((kill) => at >= kill && at <= kill + 1000));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const most = (values) => values.reduce((total, value) => Math.max(total, value), 0);

console.error(`right/refused/unanswered: ${tally}`);
const { length: written } = releases.acknowledged;
const rows = [
  [`acknowledged releases that an instance has not, of ${written}`, most(counts.map(({ lost }) => lost)), 0],
  ["releases that were made twice", most(counts.map(({ twice }) => twice)), 0],
  [`acknowledged subscriptions that are missing, of ${letters.subscribed.length}`, await letters.missingSubscribers(instances[0]), 0],
  [`acknowledged messages that did not arrive, of ${letters.written.length}`, await letters.missingMessages(mailFolders.split(",")), 0],
  [`demos that are missing, of ${uploads.stored.length}`, demos.missing, 0],
  ["demos that are there twice", demos.twice, 0],
  ["demos whose SHA-256 is not that of what was sent", demos.other, 0],
  ["uploads that lost acknowledged bytes", uploads.lost, 0],
  ["uploads that could not go on", uploads.stuck, 0],
  [`sessions that ended, of ${sessions.length} renewed ${sum(sessions.map(({ renewed }) => renewed))} times`, sum(sessions.map(({ lost }) => lost)), 0],
  [`wrong answers, of ${sum([...tally.kinds.values()].map(({ right }) => right))} right ones`, tally.wrong.length, 0],
  [`refusals without a time to retry, of ${sum([...tally.kinds.values()].map(({ refused }) => refused))}`, tally.untimed.length, 0],
  ["safe requests that the proxy passed to no other instance", tally.unserved.length, 0],
  [`answers that broke off, but for ${tally.brokenOff.length - brokenOff.length} in an instance that was killed`, brokenOff.length, 0],
  [`changes that one of ${listeners.length} streams, opened ${sum(listeners.map(({ opened }) => opened))} times, never heard of`, sum(judged.map(({ unheard }) => unheard)), 0],
  ["milliseconds after which 99 % were heard of", percentile(delays, 0.99), 30_000],
];
for (const row of rows) console.log(row.join("\t"));
process.exit(0);
