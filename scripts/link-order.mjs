// Prints the functions that ran, in the order of their first run: node link-order.mjs SYMBOLS CODE_LOG. SYMBOLS is what `nm` says of the
// program, CODE_LOG what `qemu-x86_64 -d in_asm` wrote: each piece of code once, its instructions with their addresses.
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , symbolsFile, logFile] = process.argv;
/** Where qemu-user loads a program that runs at any address. */
const BASE = 0x4000000000;

const functions = readFileSync(symbolsFile, "utf8")
  .split("\n")
  .map((line) => line.split(" "))
  .filter(([, kind]) => /^[tTwW]$/.test(kind ?? ""))
  .map(([address, , name]) => ({ start: Number.parseInt(address, 16), name }))
  .sort((one, other) => one.start - other.start);
const end = functions[functions.length - 1].start;

/** The function that holds an address: the last that begins at it or before. */
function functionAt(address) {
  let low = 0;
  let high = functions.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (functions[middle].start <= address) low = middle;
    else high = middle - 1;
  }
  return functions[low];
}

const seen = new Set();
for await (const line of createInterface({ input: createReadStream(logFile) })) {
  if (!line.startsWith("0x")) continue;
  const address = Number.parseInt(line, 16) - BASE;
  // Above are the C library's.
  if (address < functions[0].start || address > end) continue;
  seen.add(functionAt(address).name);
}
if (seen.size < 1000) throw new Error(`only ${seen.size} functions ran`);
process.stdout.write(`${[...seen].join("\n")}\n`);
