export interface WorkbenchPageOptions {
  readonly port: number;
  /** Path prefix of everything that only this page may request. */
  readonly token: string;
  readonly folderName: string;
  /** A `.code-workspace` file in the folder; its folders are shown instead. */
  readonly workspace?: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Files to open at the start, relative to the folder. */
  readonly open: readonly string[];
  readonly language?: string;
}

/** No telemetry, welcome pages or overlays. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "telemetry.telemetryLevel": "off",
  "extensions.ignoreRecommendations": true,
  "extensions.autoUpdate": false,
  "security.workspace.trust.enabled": false,
  "editor.minimap.enabled": false,
  "git.enabled": false,
  "files.autoSave": "off",
  "json.schemaDownload.enable": false,
};

/** The JSON for the start script; the script itself never changes. */
function workbenchData({ port, token, folderName, workspace, settings, open }: WorkbenchPageOptions) {
  const host = `{{uuid}}.posenc.localhost:${port}`;
  return {
    authority: `code.posenc.localhost:${port}`,
    extensions: [`/${token}/fs-extension`, "/posenc"],
    folder: `/${folderName}`,
    workspace: workspace === undefined ? null : `/${folderName}/${workspace}`,
    open,
    configurationDefaults: { ...quietSettings, ...settings },
    productConfiguration: {
      nameShort: "Posenc",
      nameLong: "Posenc: VS Code for the Web",
      applicationName: "posenc-workbench",
      dataFolderName: ".posenc-workbench",
      version: "1.91.1",
      enableTelemetry: false,
      webEndpointUrlTemplate: `http://${host}`,
      webviewContentExternalBaseUrlTemplate: `http://${host}/out/vs/workbench/contrib/webview/browser/pre/`,
      extensionEnabledApiProposals: { "posenc-workbench.folder": ["fileSearchProvider"] },
    },
  };
}

const startScript = `
const given = JSON.parse(document.getElementById("given").textContent);
const paths = {};
for (const [key, value] of Object.entries(self.webPackagePaths)) {
  paths[key] = location.origin + "/node_modules/" + key + "/" + value;
}
require.config({
  baseUrl: location.origin + "/out",
  recordStats: true,
  trustedTypesPolicy: window.trustedTypes?.createPolicy("amdLoader", { createScriptURL: (value) => value }),
  paths,
});
require(["vs/workbench/workbench.web.main"], (workbench) => {
  const uri = (scheme, path) => workbench.URI.revive({ scheme, path, authority: scheme === "http" ? given.authority : "" });
  const shown =
    given.workspace === null
      ? { folderUri: uri("folder", given.folder) }
      : { workspaceUri: uri("folder", given.workspace) };
  workbench.create(document.body, {
    productConfiguration: given.productConfiguration,
    configurationDefaults: given.configurationDefaults,
    developmentOptions: { extensions: given.extensions.map((path) => uri("http", path)) },
    workspaceProvider: { workspace: shown, trusted: true, open: async () => false },
    defaultLayout: given.open.length === 0 ? undefined : {
      force: true,
      editors: given.open.map((name) => ({ uri: uri("folder", given.folder + "/" + name) })),
    },
  });
});
`;

/** The host page of VS Code for the Web (an AMD build) with Posenc and one folder. */
export function workbenchPage(options: WorkbenchPageOptions): string {
  const data = JSON.stringify(workbenchData(options)).replaceAll("<", "\\u003c");
  const web = "/out/vs/workbench/workbench.web.main";
  return `<!doctype html>
<html lang="${options.language ?? "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Posenc</title>
<link rel="icon" href="/favicon.ico">
<link data-name="vs/workbench/workbench.web.main" rel="stylesheet" href="${web}.css">
</head>
<body aria-label="">
<script type="application/json" id="given">${data}</script>
<script src="/out/vs/loader.js"></script>
<script src="/out/vs/webPackagePaths.js"></script>
<script src="${web}.nls.js"></script>
<script src="${web}.js"></script>
<script>${startScript}</script>
</body>
</html>
`;
}
