// A page that imports the package's files directly.
import * as rules from "./node_modules/@deadwax/rules/browser.js";
import { MESSAGES } from "./node_modules/@deadwax/rules/data/index.js";
import { runVectors } from "./vectors.mjs";

const fixtures = await (await fetch("fixtures.json")).json();
console.log(JSON.stringify(runVectors(rules, MESSAGES, fixtures)));
