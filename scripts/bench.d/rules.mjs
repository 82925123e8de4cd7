// Usage: node rules.mjs PACKAGE. Prints the size of the rules' WebAssembly and its speed on three forms beside three validators
// with the same rules, as far as they can express them. All must first agree on which forms are valid; then each checks the
// same valid and invalid forms in turn.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import * as v from "valibot";
import * as yup from "yup";
import { z } from "zod";

const ROUNDS = 15;
const ROUND_MS = 60;
const BUDGET_BYTES = 82_000;

const folder = resolve(process.argv[2]);
const bytes = readFileSync(`${folder}/wasm/rules_wasm_bg.wasm`);
const rules = await import(pathToFileURL(`${folder}/node.js`).href);

const USERNAME = /^[A-Za-z0-9_-]+$/;
const URL_KEYS = ["image_url", "spotify_url", "soundcloud_url", "apple_music_url", "youtube_url", "instagram_url"];
const each = (schema) => Object.fromEntries(URL_KEYS.map((key) => [key, schema]));

const zod = {
  contact: z.object({ name: z.string().trim().min(2).max(100), email: z.email(), message: z.string().trim().min(10).max(5000) }),
  signup: z.object({ email: z.email(), username: z.string().min(3).max(20).regex(USERNAME), password: z.string().min(6).max(128) }),
  artist: z.object({ name: z.string().trim().min(1).max(100), bio: z.string().max(1000).optional(), ...each(z.url({ protocol: /^https?$/ }).optional()) }),
};
const link = v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:/)));
const valibot = {
  contact: v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(100)),
    email: v.pipe(v.string(), v.email()),
    message: v.pipe(v.string(), v.trim(), v.minLength(10), v.maxLength(5000)),
  }),
  signup: v.object({
    email: v.pipe(v.string(), v.email()),
    username: v.pipe(v.string(), v.minLength(3), v.maxLength(20), v.regex(USERNAME)),
    password: v.pipe(v.string(), v.minLength(6), v.maxLength(128)),
  }),
  artist: v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)), bio: v.optional(v.pipe(v.string(), v.maxLength(1000))), ...each(link) }),
};
const yupSchemas = {
  contact: yup.object({ name: yup.string().trim().min(2).max(100).required(), email: yup.string().email().required(), message: yup.string().trim().min(10).max(5000).required() }),
  signup: yup.object({ email: yup.string().email().required(), username: yup.string().min(3).max(20).matches(USERNAME).required(), password: yup.string().min(6).max(128).required() }),
  artist: yup.object({ name: yup.string().trim().min(1).max(100).required(), bio: yup.string().max(1000), ...each(yup.string().url()) }),
};

function yupAccepts(schema, form) {
  try {
    schema.validateSync(form, { abortEarly: false });
    return true;
  } catch {
    return false;
  }
}

const contestants = {
  rules: {
    contact: (form) => rules.checkContact(form).problems === undefined,
    signup: (form) => rules.checkSignup(form).problems === undefined,
    artist: (form) => rules.checkArtist(form).problems === undefined,
  },
  zod: Object.fromEntries(Object.entries(zod).map(([form, schema]) => [form, (value) => schema.safeParse(value).success])),
  valibot: Object.fromEntries(Object.entries(valibot).map(([form, schema]) => [form, (value) => v.safeParse(schema, value).success])),
  yup: Object.fromEntries(Object.entries(yupSchemas).map(([form, schema]) => [form, (value) => yupAccepts(schema, value)])),
};

const links = Object.fromEntries(URL_KEYS.map((key) => [key, `https://example.org/${key}/404`]));
const forms = {
  contact: [
    [{ name: "Mira Vance", email: "mira@example.org", message: "When does the next record ship?" }, true],
    [{ name: "M", email: "mira", message: "Short" }, false],
  ],
  signup: [
    [{ email: "mira@example.org", username: "mira_vance", password: "correct horse" }, true],
    [{ email: "mira@", username: "a b", password: "12345" }, false],
  ],
  artist: [
    [{ name: "Mira Vance", bio: "Writes for rooms without windows. ".repeat(10), ...links }, true],
    [{ name: "", bio: "x".repeat(1001), ...links, spotify_url: "nowhere" }, false],
  ],
};

function checksPerSecond(check, cases) {
  let done = 0;
  const start = performance.now();
  let elapsed = 0;
  while (elapsed < ROUND_MS) {
    for (let i = 0; i < 200; i++) check(cases[i % cases.length][0]);
    done += 200;
    elapsed = performance.now() - start;
  }
  return (done / elapsed) * 1000;
}

const row = (what, measured, budget) => console.log(`  ${what.padEnd(52)} ${measured.padStart(16)}   budget ${budget}`);
const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
row("wasm, as built", `${bytes.length} B`, "(none)");
row("wasm, brotli", `${brotli} B`, `<= ${BUDGET_BYTES} B (${(brotli / BUDGET_BYTES).toFixed(2)} of it)`);

for (const [form, cases] of Object.entries(forms)) {
  for (const [name, checks] of Object.entries(contestants)) {
    for (const [value, good] of cases) {
      if (checks[form](value) !== good) throw new Error(`${name} judges a ${form} form differently`);
    }
  }
  const speeds = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, checks] of Object.entries(contestants)) {
      const speed = checksPerSecond(checks[form], cases);
      // The first round is a warm-up.
      if (round > 0) speeds[name].push(speed);
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const own = median(speeds.rules);
  row(`${form}: rules`, `${Math.round(own)} /s`, "(none)");
  for (const name of ["zod", "valibot", "yup"]) {
    const peer = median(speeds[name]);
    row(`${form}: ${name}`, `${Math.round(peer)} /s`, `(none); rules are ${(own / peer).toFixed(2)} x`);
  }
}
