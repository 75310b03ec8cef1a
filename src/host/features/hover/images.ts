import * as vscode from "vscode";
import type { Formula } from "../../../core/encodings/encoding.ts";
import formulas from "../../generated/formulas.json" with { type: "json" };

/** A picture of a hover: where it is, and its size in CSS pixels. */
export interface Image {
  readonly uri: string;
  readonly width: number;
  readonly height: number;
}

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

/** Undefined for a formula that was not compiled: its plain text then stands alone. */
export function formulaImage(formula: Formula, theme: vscode.ColorThemeKind): Image | undefined {
  const picture = Object.hasOwn(compiled, formula.id) ? compiled[formula.id] : undefined;
  if (picture === undefined) return undefined;
  const svg = picture.svg.replaceAll("currentColor", inkOf(theme));
  return { uri: `data:image/svg+xml;base64,${btoa(svg)}`, width: picture.width, height: picture.height };
}
