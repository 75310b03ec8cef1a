import type * as vscode from "vscode";
import type { Language } from "../../core/l10n/l10n.ts";
import { toBase64 } from "./base64.ts";

/** 128 random bits, new for each document. */
function createNonce(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/** Uses only types of vscode: tests and the gallery build pages without an editor. */
function bundleFolder(extensionUri: vscode.Uri): vscode.Uri {
  return extensionUri.with({ path: `${extensionUri.path.replace(/\/$/, "")}/dist` });
}

/** Folders that the page may load from. */
export function pageResourceRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [bundleFolder(extensionUri)];
}

/**
 * A page with one script (by nonce) and one style sheet: no inline code, no eval, no network. Workers are created from
 * blobs, because their source is part of the script. The toolkit needs the nonce in `csp-nonce` to insert a style rule
 * that probes the browser.
 * @param page the panel or the side view
 */
export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  language: Language,
  page: "webview" | "side" = "webview",
): string {
  const folder = bundleFolder(extensionUri);
  const at = (name: string) => webview.asWebviewUri(folder.with({ path: `${folder.path}/${name}` })).toString();
  const nonce = createNonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `img-src ${webview.cspSource} data: blob:`,
    `font-src ${webview.cspSource}`,
    "worker-src blob:",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${language === "zh-cn" ? "zh-Hans" : "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at(`${page}.css`)}">
<title>Posenc</title>
</head>
<body>
<script nonce="${nonce}" src="${at(`${page}.js`)}"></script>
</body>
</html>
`;
}
