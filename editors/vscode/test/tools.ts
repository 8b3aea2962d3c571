/**
 * What the tests need: external programs, and the packaged extension.
 *
 * Input: environment variables. Output: paths. Invariant: an error for a missing part names its variable.
 */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

export const FOLDER = path.join(import.meta.dirname, "..");
export const REPOSITORY = path.join(FOLDER, "..", "..");

export interface Tools {
  /** The script that starts VS Code as a server, with the same Node as this process. */
  codeServer: string;
  chromium: string;
  /** The program in the packaged extension. */
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
    // Only tests of runs need it.
    get server() {
      return existing("NODEWISE_SERVER");
    },
    vsix: existing("NODEWISE_VSIX"),
    results: process.env["NODEWISE_RESULTS"] ?? path.join(REPOSITORY, "target", "vscode", "results"),
  };
}

/** The output of `nodewise test` for a scenario file. Throws if a scenario fails. */
export function testScenario(file: string): string {
  return execFileSync(tools().server, ["test", file], { encoding: "utf8", stdio: "pipe" });
}

/** The live runs of a project on disk, the last one first. */
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
