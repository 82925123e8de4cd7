import { readFileSync } from "node:fs";
import * as rules from "@deadwax/rules";
import { MESSAGES } from "@deadwax/rules/data";
import { runVectors } from "./vectors.mjs";
import "./readme.mjs";

const fixtures = JSON.parse(readFileSync(new URL("fixtures.json", import.meta.url), "utf8"));
console.log(JSON.stringify(runVectors(rules, MESSAGES, fixtures)));
