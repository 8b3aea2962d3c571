/** Red Hat's language server with the settings that its extension has by default: everything is on. */

import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(): Promise<void> {
  const module = process.env["NODEWISE_YAML_SERVER"] ?? "";
  const run = { module, transport: TransportKind.ipc };
  client = new LanguageClient("yaml", "YAML", { run, debug: run }, {
    documentSelector: [{ language: "yaml" }],
    initializationOptions: {},
    middleware: {
      workspace: {
        configuration: (parameters) => parameters.items.map(({ section }) => (section === "yaml" ? { validate: true, hover: true, completion: true, format: { enable: true }, schemaStore: { enable: false } } : null)),
      },
    },
  });
  await client.start();
  vscode.window.setStatusBarMessage("Red Hat YAML is ready");
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}
