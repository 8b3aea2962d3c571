/**
 * What the tests run on: programs that are not ours, and the packaged extension.
 *
 * Input: environment variables; output: paths. Invariant: a part that is missing is named with its variable.
 */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

export const FOLDER = path.join(import.meta.dirname, "..");
export const REPOSITORY = path.join(FOLDER, "..", "..");

export interface Tools {
  /** The script that starts VS Code as a server; runs on the Node that runs this. */
  codeServer: string;
  chromium: string;
  /** The program that is packed into the extension. */
  server: string;
  /** The packaged extension. */
  vsix: string;
  /** The folder for screenshots and logs. */
  results: string;
}

export function tools(): Tools {
  return {
    codeServer: existing("NODEWISE_CODE_SERVER"),
    chromium: existing("NODEWISE_CHROMIUM"),
    server: existing("NODEWISE_SERVER"),
    vsix: existing("NODEWISE_VSIX"),
    results: process.env["NODEWISE_RESULTS"] ?? path.join(REPOSITORY, "target", "vscode", "results"),
  };
}

/** What `nodewise test` says of a scenario file; throws where it does not hold. */
export function testScenario(file: string): string {
  return execFileSync(tools().server, ["test", file], { encoding: "utf8", stdio: "pipe" });
}

/** The live runs that a project keeps on disk, the last one first. */
export function recordedRuns(folder: string): { id: string; title: string; status: string; spent: { cost_usd?: number } }[] {
  const output = execFileSync(tools().server, ["runs", "--format", "json", "--project", folder], { encoding: "utf8", stdio: "pipe" });
  return JSON.parse(output).runs;
}

function existing(variable: string): string {
  const file = process.env[variable];
  if (file === undefined || !existsSync(file)) {
    throw new Error(`${variable} names no file: ${file ?? "it is not set"}`);
  }
  return path.resolve(file);
}
