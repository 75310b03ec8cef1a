import { t } from "@vscode/l10n";
import { composeFigure } from "../../ui/figure/compose.ts";
import { figureSvg } from "../../ui/figure/figureSvg.ts";
import type { Shown } from "./exportContext.ts";

/** Pixels of a PNG for each of the page. */
const SCALE = 2;

function nothingYet(): Error {
  return new Error(t("There is no image to save yet."));
}

/** The view as an SVG document. */
export async function svgOf({ exportable, snapshot }: Shown): Promise<string> {
  if (exportable !== null) return exportable.svg;
  const taken = await snapshot(SCALE);
  if (taken === null) throw nothingYet();
  return figureSvg(taken);
}

/** The view as a PNG, twice as large as on the page. */
export async function pngOf({ exportable, snapshot }: Shown): Promise<Blob> {
  if (exportable !== null) return pngBlob(await drawnSvg(exportable.svg));
  const taken = await snapshot(SCALE);
  const canvas = taken === null ? null : composeFigure(taken);
  if (canvas === null) throw nothingYet();
  return pngBlob(canvas);
}

async function pngBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error(t("The image is too large to save."));
  return blob;
}

async function drawnSvg(text: string): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * SCALE);
    canvas.height = Math.round(image.naturalHeight * SCALE);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
