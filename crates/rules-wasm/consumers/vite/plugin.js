// An app built and served by Vite with the plugin that imports WebAssembly as modules.
import * as rules from "@deadwax/rules/bundler";
import { MESSAGES } from "@deadwax/rules/data";
import { runVectors } from "./vectors.mjs";

const fixtures = await (await fetch("/fixtures.json")).json();
console.log(JSON.stringify(runVectors(rules, MESSAGES, fixtures)));
