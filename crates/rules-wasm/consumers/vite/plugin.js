// An app that Vite builds and serves with the plugin that imports WebAssembly as a module.
import * as rules from "@deadwax/rules/bundler";
import { MESSAGES } from "@deadwax/rules/data";
import { runVectors } from "./vectors.mjs";

const fixtures = await (await fetch("/fixtures.json")).json();
console.log(JSON.stringify(runVectors(rules, MESSAGES, fixtures)));
