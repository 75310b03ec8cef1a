import * as vscode from "vscode";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { thumbnail } from "../../../core/export/thumbnail.ts";
import type { HoverImage } from "../../../core/hover/markdown.ts";
import type { Params } from "../../../core/spec.ts";
import formulas from "../../generated/formulas.json" with { type: "json" };
import { toBase64 } from "../../platform/base64.ts";

interface CompiledFormula {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const compiled: Readonly<Record<string, CompiledFormula>> = formulas;

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

/** Null for a formula that was not compiled: its plain text then stands alone. */
export function formulaImage(formulaId: string, theme: vscode.ColorThemeKind): HoverImage | null {
  const picture = Object.hasOwn(compiled, formulaId) ? compiled[formulaId] : undefined;
  if (picture === undefined) return null;
  const svg = picture.svg.replaceAll("currentColor", inkOf(theme));
  return { source: `data:image/svg+xml;base64,${btoa(svg)}`, width: picture.width, height: picture.height };
}

/** A small picture of the matrix for these values; null where there is none to be had at once. */
export function matrixImage(encoding: Encoding, params: Params): HoverImage | null {
  const picture = thumbnail(encoding, params);
  if (picture === undefined) return null;
  return { source: `data:image/png;base64,${toBase64(picture.png)}`, width: picture.size, height: picture.size };
}
