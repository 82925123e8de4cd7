// Runs all attackers of scripts/stress.d/hostile at once: node hostile.mjs URL SECONDS SIGN_INS, with the accounts' password in
// PASSWORD. Prints the number of internal errors, and to stderr all counts.
import { emptyUploads, endlessAvatars, forms, heldRoom, renewals, signIns } from "./attacks/accounts.mjs";
import { resets, shutWindow } from "./attacks/multiplexed.mjs";
import { halfOpen, methods, nonsense, slow, streams } from "./attacks/sockets.mjs";
import { World } from "./attacks/world.mjs";

const [, , url, seconds, signInCount] = process.argv;
const password = process.env.PASSWORD;
const world = new World(url, Number(seconds));
await Promise.all([
  signIns(world, Number(signInCount)),
  renewals(world, "renews@label.example", password),
  endlessAvatars(world, "draws@label.example", password),
  emptyUploads(world),
  heldRoom(world),
  forms(world),
  methods(world),
  nonsense(world),
  halfOpen(world),
  streams(world),
  resets(world),
  ...Array.from({ length: 10 }, (_, number) => shutWindow(world, number)),
  ...Array.from({ length: 40 }, (_, number) => slow(world, number)),
]);
console.error(`${world}`);
console.log(world.broken);
process.exit(0);
