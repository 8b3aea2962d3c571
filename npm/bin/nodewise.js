#!/usr/bin/env node
// Starts the binary that the package of this platform holds, and ends as the binary ends.
//
// `NODEWISE_BINARY` names another binary, for platforms that have no package.

"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const packageName = `@nodewise/cli-${platform}`;
const fileName = process.platform === "win32" ? "nodewise.exe" : "nodewise";

function binary() {
  if (process.env.NODEWISE_BINARY) {
    return process.env.NODEWISE_BINARY;
  }
  try {
    return require.resolve(`${packageName}/bin/${fileName}`);
  } catch {
    fail(
      `${packageName} is not installed`,
      "install without `--omit=optional` and on the platform that runs it; where there is no package, " +
        "`cargo install` builds the binary and NODEWISE_BINARY names it",
    );
  }
}

function fail(fact, help) {
  console.error(`error: ${fact}\n  help: ${help}`);
  process.exit(2);
}

const program = binary();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });

child.on("error", (error) => fail(`${program} does not start: ${error.message}`, "reinstall the package"));

// A terminal sends SIGINT to the binary too, so it is ignored here. The other signals reach only this process, which
// passes them on. The binary decides how to react.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}

child.on("exit", (code, signal) => {
  process.exit(signal === null ? code : 128 + constants.signals[signal]);
});
