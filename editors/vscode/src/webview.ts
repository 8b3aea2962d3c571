/**
 * The initial page of a webview.
 *
 * Input: the name of the view. Output: HTML. Invariant: only the view's own script runs, and nothing is downloaded. The
 * policy allows one script by its nonce, style sheets by their place, and pictures that the page itself makes. The page
 * contains no text from files.
 */

import * as vscode from "vscode";

export type View = "graph" | "simulation";

export function viewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, "dist", "webview")] };
}

export function page(webview: vscode.Webview, extension: vscode.Uri, view: View): string {
  const resource = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview", file)).toString();
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${sheets(view).map((sheet) => `<link rel="stylesheet" href="${resource(sheet)}">`).join("\n")}
</head>
<body class="${view}"><script nonce="${nonce}" src="${resource(`${view}.js`)}"></script></body>
</html>`;
}

function sheets(view: View): string[] {
  return view === "simulation" ? ["surface.css", "simulation.css"] : ["surface.css"];
}
