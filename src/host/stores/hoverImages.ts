import * as vscode from "vscode";
import type { Encoding } from "../../core/encodings/encoding.ts";
import { thumbnail } from "../../core/export/thumbnail.ts";
import type { HoverImage } from "../../core/hover/markdown.ts";
import type { Params } from "../../core/spec.ts";
import { toBase64 } from "../platform/base64.ts";
import type { Services } from "../services.ts";

const pictures = new Map<string, Promise<string | null>>();

/** Formulas lie beside the bundle, one file each: together they are as large as half of the code. */
function pictureOf({ extensionUri, log }: Services, formulaId: string): Promise<string | null> {
  const known = pictures.get(formulaId);
  if (known !== undefined) return known;
  const file = vscode.Uri.joinPath(extensionUri, "media", "formulas", `${formulaId}.svg`);
  const picture = readText(file).catch((error: unknown) => {
    log.warn(`no picture of the formula ${formulaId}: ${String(error)}`);
    return null;
  });
  pictures.set(formulaId, picture);
  return picture;
}

async function readText(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** The editor's text colour does not reach into a picture, so it is chosen when the hover is made. */
function inkOf(theme: vscode.ColorThemeKind): string {
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

/** Null for a formula without a picture: its plain text then stands alone. */
export async function formulaImage(
  services: Services,
  formulaId: string,
  theme: vscode.ColorThemeKind,
): Promise<HoverImage | null> {
  const picture = await pictureOf(services, formulaId);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(picture ?? "") ?? [];
  if (picture === null || width === undefined || height === undefined) return null;
  const svg = picture.replaceAll("currentColor", inkOf(theme));
  return { source: `data:image/svg+xml;base64,${btoa(svg)}`, width: Number(width), height: Number(height) };
}

/** A small picture of the matrix for these values; null where there is none to be had at once. */
export function matrixImage(encoding: Encoding, params: Params, theme: vscode.ColorThemeKind): HoverImage | null {
  const light = theme === vscode.ColorThemeKind.Light || theme === vscode.ColorThemeKind.HighContrastLight;
  const picture = thumbnail(encoding, params, light);
  if (picture === undefined) return null;
  return { source: `data:image/png;base64,${toBase64(picture.png)}`, width: picture.size, height: picture.size };
}
