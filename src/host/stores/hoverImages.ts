import * as vscode from "vscode";
import type { Encoding } from "../../core/encodings/encoding.ts";
import { encodeThumbnail } from "../../core/export/thumbnail.ts";
import type { HoverImage } from "../../core/hover/hoverMarkdown.ts";
import type { Params } from "../../core/spec.ts";
import { toBase64 } from "../platform/base64.ts";
import type { Services } from "../services.ts";

const svgByFormula = new Map<string, Promise<string | null>>();

/** Formulas are separate files: together they are half as large as the code. */
function loadFormulaSvg({ extensionUri, log }: Services, formulaId: string): Promise<string | null> {
  const cached = svgByFormula.get(formulaId);
  if (cached !== undefined) return cached;
  const file = vscode.Uri.joinPath(extensionUri, "media", "formulas", `${formulaId}.svg`);
  const svg = readText(file).catch((error: unknown) => {
    log.warn(`no picture of the formula ${formulaId}: ${String(error)}`);
    return null;
  });
  svgByFormula.set(formulaId, svg);
  return svg;
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

/** Null if the formula has no image; the hover then shows its plain text. */
export async function loadFormulaImage(
  services: Services,
  formulaId: string,
  theme: vscode.ColorThemeKind,
): Promise<HoverImage | null> {
  const template = await loadFormulaSvg(services, formulaId);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(template ?? "") ?? [];
  if (template === null || width === undefined || height === undefined) return null;
  const svg = template.replaceAll("currentColor", textColour(theme));
  return { source: `data:image/svg+xml;base64,${btoa(svg)}`, width: Number(width), height: Number(height) };
}

/** A thumbnail of the matrix for these values; null if it cannot be drawn at once. */
export function renderThumbnail(encoding: Encoding, params: Params, theme: vscode.ColorThemeKind): HoverImage | null {
  const isLight = theme === vscode.ColorThemeKind.Light || theme === vscode.ColorThemeKind.HighContrastLight;
  const picture = encodeThumbnail(encoding, params, isLight);
  if (picture === undefined) return null;
  return { source: `data:image/png;base64,${toBase64(picture.png)}`, width: picture.size, height: picture.size };
}
