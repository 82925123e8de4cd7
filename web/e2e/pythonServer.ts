// Servers in Debian's Python that stand in for the outside world, and say their port first.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface PythonServer {
  process: ChildProcess;
  /** Its output after the port. */
  lines: Interface;
  port: number;
}

/** Starts a script of `crates/server/tests`; fails if it ends before it has a port. */
export async function startPython(script: string, ...args: string[]): Promise<PythonServer> {
  const path = fileURLToPath(new URL(`../../crates/server/tests/${script}`, import.meta.url));
  // Debian's packages are installed for Debian's own Python.
  const process = spawn("/usr/bin/python3", [path, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: process.stdout });
  const ended = once(process, "exit").then(([code]) => {
    throw new Error(`${script} ended with ${code} before it had a port`);
  });
  const [first] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return { process, lines, port: JSON.parse(first).port };
}
