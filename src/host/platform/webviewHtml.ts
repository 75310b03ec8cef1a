import type * as vscode from "vscode";
import type { Language } from "../../core/l10n/l10n.ts";
import { toBase64 } from "./base64.ts";

/** 128 random bits, fresh for each document. */
function nonce(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/** Types of vscode only: the tests and the gallery make pages without an editor. */
function bundleFolder(extensionUri: vscode.Uri): vscode.Uri {
  return extensionUri.with({ path: `${extensionUri.path.replace(/\/$/, "")}/dist` });
}

/** Folders that the page may load from. */
export function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [bundleFolder(extensionUri)];
}

/**
 * A page: one script by nonce, one style sheet, nothing inline, nothing evaluated, nothing from the network.
 * Workers come from blobs because their text is part of the script.
 * The toolkit asks for the nonce by `csp-nonce`: it tries one style rule to see what the browser knows.
 * @param page the panel's, or the side view's
 */
export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  language: Language,
  page: "webview" | "side" = "webview",
): string {
  const folder = bundleFolder(extensionUri);
  const at = (name: string) => webview.asWebviewUri(folder.with({ path: `${folder.path}/${name}` })).toString();
  const token = nonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${token}'`,
    `style-src ${webview.cspSource} 'nonce-${token}'`,
    `img-src ${webview.cspSource} data: blob:`,
    `font-src ${webview.cspSource}`,
    "worker-src blob:",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${language === "zh-cn" ? "zh-Hans" : "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${token}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at(`${page}.css`)}">
<title>Posenc</title>
</head>
<body>
<script nonce="${token}" src="${at(`${page}.js`)}"></script>
</body>
</html>
`;
}
