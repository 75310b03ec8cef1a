import * as l10n from "@vscode/l10n";
import { composeFigure } from "../../figure/composeFigure.ts";
import { figureSvg } from "../../figure/figureSvg.ts";
import type { ExportContext } from "./exportContext.ts";

/** PNG pixels per CSS pixel. */
const PNG_SCALE = 2;

function noPictureError(): Error {
  return new Error(l10n.t("The image has not been drawn yet."));
}

/** The view as an SVG document. */
export async function renderSvg({ viewExport, snapshot }: ExportContext): Promise<string> {
  if (viewExport !== null) return viewExport.svg;
  const figureSnapshot = await snapshot(PNG_SCALE);
  if (figureSnapshot === null) throw noPictureError();
  return figureSvg(figureSnapshot);
}

/** The view as a PNG, twice as large as on the page. */
export async function renderPng({ viewExport, snapshot }: ExportContext): Promise<Blob> {
  if (viewExport !== null) return pngBlob(await rasteriseSvg(viewExport.svg));
  const figureSnapshot = await snapshot(PNG_SCALE);
  const canvas = figureSnapshot === null ? null : composeFigure(figureSnapshot);
  if (canvas === null) throw noPictureError();
  return pngBlob(canvas);
}

async function pngBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error(l10n.t("The image is too large to save."));
  return blob;
}

async function rasteriseSvg(text: string): Promise<HTMLCanvasElement> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.naturalWidth * PNG_SCALE);
    canvas.height = Math.round(image.naturalHeight * PNG_SCALE);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(url);
  }
}
