// An app built and served by Vite without a configuration.
import * as rules from "@deadwax/rules";
import { MESSAGES } from "@deadwax/rules/data";
import { runVectors } from "./vectors.mjs";
import "./readme.ts";

const fixtures = await (await fetch("/fixtures.json")).json();
console.log(JSON.stringify(runVectors(rules, MESSAGES, fixtures)));
