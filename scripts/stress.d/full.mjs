// Requests of scripts/stress.d/full: node full.mjs URL TOKEN BALLAST NOTES ROUNDS. Fills the disk with the file BALLAST and
// removes it again while adding and reading releases, and notes the titles of acknowledged ones. Prints, separated by spaces:
// refused writes, responses that were neither right nor such a refusal, the slowest refusal, and the slowest recovery, both in
// milliseconds.
import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, openSync, rmSync, writeSync } from "node:fs";
import { clientOf, pause } from "./client.mjs";

const [, , url, token, ballast, notes, rounds] = process.argv;
const send = clientOf(url);
const figures = { refused: 0, wrong: 0, slowest: 0, back: 0 };

const isWrong = (what, { status, bytes }) => {
  figures.wrong += 1;
  if (figures.wrong <= 20) console.error(`${what}: ${status} ${bytes}`);
};

/** Adds a release; returns whether it was acknowledged. */
async function write() {
  const body = { title: `Acknowledged ${randomUUID()}`, release_date: "2026-11-20", description: "x".repeat(900) };
  const began = Date.now();
  const answer = await send("POST", "/api/admin/releases", { body, token });
  if (answer.status === 201) {
    appendFileSync(notes, `${body.title}\n`);
    return true;
  }
  const isFull = answer.status === 503 && String(answer.bytes).includes('"storage_full"');
  if (!isFull || !answer.headers["retry-after"]) isWrong("a write", answer);
  figures.refused += 1;
  figures.slowest = Math.max(figures.slowest, Date.now() - began);
  return false;
}

async function read(number) {
  for (const path of ["/", "/api/releases", `/api/releases?limit=${1 + (number % 100)}`, "/livez"]) {
    const answer = await send("GET", path);
    if (answer.status !== 200) isWrong(path, answer);
  }
}

function fill() {
  const file = openSync(ballast, "w");
  const piece = Buffer.alloc(4096);
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  }
  closeSync(file);
}

for (let round = 0; round < Number(rounds); round += 1) {
  for (let number = 0; number < 5; number += 1) if (!(await write())) isWrong("a write with room", { status: 503, bytes: "" });
  fill();
  // Writes that fit into the database's existing log still succeed.
  const before = figures.refused;
  for (let number = 0; figures.refused < before + 20 && number < 20_000; number += 1) await write();
  for (let number = 0; number < 10; number += 1) await read(round * 10 + number);
  rmSync(ballast);
  const began = Date.now();
  while (!(await write()) && Date.now() - began < 30_000) await pause(50);
  figures.back = Math.max(figures.back, Date.now() - began);
}
console.log(Object.values(figures).join(" "));
process.exit(0);
