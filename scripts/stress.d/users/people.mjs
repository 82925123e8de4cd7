// Members and visitors: long sessions, people who sign in and out, subscribers, and senders of messages.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { addressOf, pause, signIn } from "../client.mjs";

/** Keeps a session and renews it; a renewal whose response was lost is repeated with the current token. */
export class Session {
  lost = 0;
  renewed = 0;

  constructor(world, email, number) {
    Object.assign(this, { world, email, from: addressOf(50, number) });
  }

  async begin() {
    this.token = await signIn(this.world.send, this.email, this.world.password, this.from);
  }

  async keep() {
    const { send, tally } = this.world;
    for (let round = 1; this.world.isRunning; round += 1) {
      const { from, token } = this;
      const asked = await tally.ask("read sessions", [200], send("GET", "/api/auth/session", { from, token }));
      if (asked.answer && asked.answer.json().user?.email !== this.email) {
        this.lost += 1;
        tally.isWrong("read sessions", `${this.email} is signed out`);
        await this.begin();
      }
      await pause(asked.waitMs || 700);
      if (round % 3 !== 0) continue;
      const renewed = await tally.ask("renewals", [200], send("POST", "/api/auth/refresh", { from, token }));
      // A session renewed within the last minute keeps its token, and the response contains none.
      const next = renewed.answer?.json().access_token;
      if (next) {
        this.token = next;
        this.renewed += 1;
      }
      await pause(renewed.waitMs);
    }
  }
}

/** Signs in, reads, and signs out, each time from another address. */
export async function comeAndGo(world, email, number) {
  const { send, tally, password } = world;
  for (let round = 0; world.isRunning; round += 1) {
    const from = addressOf(60 + number, round);
    const body = { identifier: email, password, token_in_body: true };
    const { answer, waitMs } = await tally.ask("sign-ins", [200], send("POST", "/api/auth/sign-in", { body, from }));
    await pause(waitMs || 500);
    if (!answer) continue;
    const token = answer.json().access_token;
    const seen = await tally.ask("read sessions", [200], send("GET", "/api/auth/session", { from, token }));
    if (seen.answer && seen.answer.json().user?.email !== email) tally.isWrong("read sessions", "not the one who signed in");
    await pause(seen.waitMs);
    await tally.ask("sign-outs", [200], send("POST", "/api/auth/sign-out", { from, token }));
    await pause(1000);
  }
}

/** Subscriptions and messages, up to the limits per hour. */
export class Letters {
  subscribed = [];
  written = [];

  constructor(world) {
    this.world = world;
  }

  async subscribe(everyMs) {
    const { send, tally } = this.world;
    for (let number = 0; this.world.isRunning; number += 1) {
      const address = `reader.${number}@label.example`;
      const sending = send("POST", "/api/newsletter", { body: { subscriber_email: address }, from: addressOf(70, number) });
      const { answer } = await tally.ask("subscriptions", [200], sending);
      if (answer) this.subscribed.push(address);
      await pause(everyMs);
    }
  }

  async write(everyMs) {
    const { send, tally } = this.world;
    for (let number = 0; this.world.isRunning; number += 1) {
      const message = `This is message number ${number}.`;
      const body = { name: "Max", email: "max@label.example", message };
      const { answer } = await tally.ask("messages", [200], send("POST", "/api/contact", { body, from: addressOf(80, number) }));
      if (answer) this.written.push(message);
      await pause(everyMs);
    }
  }

  /** The number of acknowledged subscriptions missing at an instance. */
  async missingSubscribers({ send, token }) {
    const found = new Set();
    let cursor = "";
    do {
      const answer = await send("GET", `/api/admin/newsletter?limit=100${cursor}`, { token });
      if (answer.status !== 200) throw new Error(`listing subscriptions: ${answer.status}`);
      const { items, next_cursor } = answer.json();
      for (const { email } of items) found.add(email);
      cursor = next_cursor && `&cursor=${encodeURIComponent(next_cursor)}`;
    } while (cursor);
    return this.subscribed.filter((address) => !found.has(address)).length;
  }

  /** The number of acknowledged messages missing from all folders of captured mail, after at most a minute. */
  async missingMessages(folders) {
    for (let tries = 0; ; tries += 1) {
      const texts = folders.flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")));
      const missing = this.written.filter((message) => !texts.some((text) => text.includes(message))).length;
      if (missing === 0 || tries === 60) return missing;
      await pause(1000);
    }
  }
}
