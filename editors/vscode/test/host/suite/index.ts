/** The entry point for the workbench: runs the tests, and rejects if one fails. */

import Mocha from "mocha";

export function run(): Promise<void> {
  const output = process.env["NODEWISE_HOST_RESULTS"];
  const mocha = new Mocha({ ui: "bdd", timeout: 120_000, reporter: "json", reporterOptions: { output } });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  // The tests register themselves when they are loaded.
  require("./providers.ts");
  require("./commands.ts");
  require("./life.ts");
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
