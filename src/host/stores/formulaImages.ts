import * as vscode from "vscode";
import type { HoverImage } from "../../core/hover/hoverMarkdown.ts";

/** Pictures of formulas for hovers. They are separate files: together they are half as large as the code. */
export class FormulaImages {
  readonly #extensionUri: vscode.Uri;
  readonly #log: vscode.LogOutputChannel;
  readonly #svgById = new Map<string, Promise<string | null>>();

  constructor(extensionUri: vscode.Uri, log: vscode.LogOutputChannel) {
    this.#extensionUri = extensionUri;
    this.#log = log;
  }

  /** Null if the formula has no image; the hover then shows its plain text. */
  async load(formulaId: string, theme: vscode.ColorThemeKind): Promise<HoverImage | null> {
    const template = await this.#loadSvg(formulaId);
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(template ?? "") ?? [];
    if (template === null || width === undefined || height === undefined) return null;
    const svg = template.replaceAll("currentColor", textColour(theme));
    return { source: `data:image/svg+xml;base64,${btoa(svg)}`, width: Number(width), height: Number(height) };
  }

  #loadSvg(formulaId: string): Promise<string | null> {
    const cached = this.#svgById.get(formulaId);
    if (cached !== undefined) return cached;
    const file = vscode.Uri.joinPath(this.#extensionUri, "media", "formulas", `${formulaId}.svg`);
    const svg = readText(file).catch((error: unknown) => {
      this.#log.warn(`no picture of the formula ${formulaId}: ${String(error)}`);
      return null;
    });
    this.#svgById.set(formulaId, svg);
    return svg;
  }
}

async function readText(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** An image cannot inherit the editor's text colour, so it is set when the hover is created. */
function textColour(theme: vscode.ColorThemeKind): string {
  switch (theme) {
    case vscode.ColorThemeKind.Light:
      return "#1f1f1f";
    case vscode.ColorThemeKind.HighContrastLight:
      return "#000000";
    case vscode.ColorThemeKind.HighContrast:
      return "#ffffff";
    default:
      return "#d4d4d4";
  }
}
