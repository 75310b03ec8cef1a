import { area as createArea, line as createLine, curveLinear, curveStepAfter } from "d3-shape";
import { nothing, svg, type TemplateResult } from "lit-html";
import { groupDigits } from "../format.ts";
import { mapScale, powerTicks, type Tick, tickText, valueTicks } from "../scale.ts";
import type {
  Chart,
  ChartArea,
  ChartAxis,
  ChartBand,
  ChartBox,
  ChartCell,
  ChartDot,
  ChartLine,
  ChartPoint,
  ChartRule,
} from "./chart.ts";
import { type PlacedLabel, placeLabels } from "./ruleLabels.ts";

/** Upper estimate of the width of a character in axis texts. */
const CHARACTER_WIDTH = 6.6;

/** Upper estimate of the width of an axis text; Chinese characters are twice as wide. */
function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 2 : 1) * CHARACTER_WIDTH, 0);
}

function axisTicks({ scale, from, to }: ChartAxis, maxTicks: number): Tick[] {
  if (scale === "log") return powerTicks(from, to, maxTicks);
  const values = valueTicks(from, to, maxTicks);
  const step = (values[1] ?? 1) - (values[0] ?? 0);
  return values.map((value) => ({
    at: value,
    text: Number.isInteger(step) && Math.abs(value) < 1e6 ? groupDigits(value) : tickText(value, step),
  }));
}

/** Names of bands and rules: baseline of the first below the plot's top, and distance between rows. */
const NAME_BASELINE = 15;
const NAME_ROW_HEIGHT = 15;

/** Every chart reserves this many characters for its value axis, so that stacked charts align. */
const MIN_TICK_CHARACTERS = 5;

function yTicks({ y }: Chart, height: number): Tick[] {
  return axisTicks(y, Math.max(2, Math.floor(height / 34)));
}

/** The plot's rectangle in a chart of this width. */
export function plotBox(chart: Chart, width: number): ChartBox {
  const height = Math.max(60, chart.height - 60);
  const longest = yTicks(chart, height).reduce((most, { text }) => Math.max(most, text.length), MIN_TICK_CHARACTERS);
  const left = Math.ceil(28 + longest * CHARACTER_WIDTH);
  return { x: left, y: 12, width: Math.max(60, width - left - 14), height };
}

/** The chart as SVG content for a plot in this box. */
export function chartSvg(chart: Chart, box: ChartBox, hover: number | null): TemplateResult {
  const toX = mapScale(chart.x, [box.x, box.x + box.width]);
  const toY = mapScale(chart.y, [box.y + box.height, box.y]);
  const toPixels = ([x, y]: ChartPoint): ChartPoint => [toX(x), toY(y)];
  const at = hover ?? chart.crosshair;
  const bands = (chart.bands ?? []).map((band) => placeBand(band, box, toX));
  const names = placeUprightRules(chart, box, toX, bands);
  const rows = names.reduce((most, { row }) => Math.max(most, row), 0);
  return svg`
    ${bands.map((band) => bandSvg(band, box))}
    ${axesSvg(chart, box, toX, toY)}
    <svg x=${box.x} y=${box.y} width=${box.width} height=${box.height} viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`}>
      ${(chart.areas ?? []).map((area) => areaSvg(area, toX, toY))}
      ${chart.lines.map((line) => lineSvg(line, toX, toY))}
    </svg>
    ${(chart.strip ?? []).map((cell) => stripSvg(cell, box, toX))}
    ${(chart.dots ?? []).map((dot) => dotSvg(dot, toPixels))}
    ${names.map(({ at: x }) => svg`<line class="rule" x1=${x} y1=${box.y} x2=${x} y2=${box.y + box.height} />`)}
    ${(chart.rules ?? []).map((rule) => (rule.axis === "y" ? levelSvg(rule, box, toY) : nothing))}
    <rect class="frame" x=${box.x} y=${box.y} width=${box.width} height=${box.height} />
    ${at === null ? nothing : chartCrosshairSvg(box, toX(at), chart.describe(at), rows)}
    ${names.map((name) => nameSvg(name, box))}`;
}

function axesSvg(chart: Chart, box: ChartBox, toX: ToPixel, toY: ToPixel): TemplateResult {
  const bottom = box.y + box.height;
  const maxTicks = Math.max(2, Math.floor(box.width / 60));
  return svg`
    ${axisTicks(chart.x, maxTicks).map(({ at, text }) => {
      const x = toX(at);
      return svg`<line class="grid" x1=${x} y1=${box.y} x2=${x} y2=${bottom} />
        <text class="tick" x=${x} y=${bottom + 15} text-anchor="middle">${text}</text>`;
    })}
    ${yTicks(chart, box.height).map(({ at, text }) => {
      const y = toY(at);
      return svg`<line class="grid" x1=${box.x} y1=${y} x2=${box.x + box.width} y2=${y} />
        <text class="tick" x=${box.x - 6} y=${y + 4} text-anchor="end">${text}</text>`;
    })}
    <text class="axis" x=${box.x + box.width / 2} y=${bottom + 33} text-anchor="middle">${chart.x.label} →</text>
    <text class="axis" x="0" y="0" text-anchor="middle" transform=${`translate(12 ${box.y + box.height / 2}) rotate(-90)`}>${chart.y.label} →</text>`;
}

type ToPixel = (value: number) => number;

const isFinitePoint = ([x, y]: ChartPoint): boolean => Number.isFinite(x) && Number.isFinite(y);

function lineSvg(line: ChartLine, toX: ToPixel, toY: ToPixel): TemplateResult {
  const path = createLine<ChartPoint>(
    ([x]) => toX(x),
    ([, y]) => toY(y),
  )
    .defined((point) => isFinitePoint([toX(point[0]), toY(point[1])]))
    .curve(line.step === true ? curveStepAfter : curveLinear)
    .digits(1)(line.points);
  const dash = line.dashed === true ? "dashed" : "";
  if (line.colour === undefined) return svg`<path class=${`line ${line.tone} ${dash}`} d=${path} />`;
  return svg`<path class=${`line ${dash}`} stroke=${line.colour} d=${path} />`;
}

function areaSvg({ low, high, tone, colour }: ChartArea, toX: ToPixel, toY: ToPixel): TemplateResult {
  const path = createArea<ChartPoint>()
    .x(([x]) => toX(x))
    .y0((_, n) => toY(low[n]?.[1] ?? Number.NaN))
    .y1(([, y]) => toY(y))
    .defined((point, n) => isFinitePoint(point) && isFinitePoint(low[n] ?? [0, Number.NaN]))
    .digits(1)(high);
  return colour === undefined
    ? svg`<path class=${`area ${tone}`} d=${path} />`
    : svg`<path class="area" fill=${colour} d=${path} />`;
}

interface PlacedBand extends ChartBand {
  readonly left: number;
  readonly right: number;
  /** The label fits into the band. */
  readonly hasLabel: boolean;
}

function placeBand(band: ChartBand, box: ChartBox, toX: ToPixel): PlacedBand {
  const left = Math.max(box.x, toX(band.from));
  const right = Math.min(box.x + box.width, toX(band.to));
  return { ...band, left, right, hasLabel: right - left > textWidth(band.label) + 8 };
}

function bandSvg({ left, right, label, tone, hasLabel }: PlacedBand, box: ChartBox): TemplateResult {
  const width = Math.max(0, right - left);
  return svg`<rect class=${`band ${tone}`} x=${left} y=${box.y} width=${width} height=${box.height}><title>${label}</title></rect>
    ${hasLabel ? svg`<text class="band-label" x=${(left + right) / 2} y=${box.y + NAME_BASELINE} text-anchor="middle">${label}</text>` : nothing}`;
}

/** Height of the coloured strip. */
const STRIP_HEIGHT = 14;

function stripSvg({ from, to, colour }: ChartCell, box: ChartBox, toX: ToPixel): TemplateResult {
  const left = Math.max(box.x, toX(from));
  const right = Math.min(box.x + box.width, toX(to));
  return svg`<rect class="strip" x=${left} y=${box.y + box.height - STRIP_HEIGHT} width=${Math.max(0, right - left)} height=${STRIP_HEIGHT} fill=${colour} />`;
}

interface UprightRule extends PlacedLabel {
  readonly at: number;
  readonly label: string;
}

/** The visible upright rules, with places for their names between those of the bands. */
function placeUprightRules(chart: Chart, box: ChartBox, toX: ToPixel, bands: readonly PlacedBand[]): UprightRule[] {
  const plot = { from: box.x, to: box.x + box.width };
  const visible = (chart.rules ?? [])
    .filter(({ axis }) => axis === "x")
    .map(({ at, label }) => ({ at: toX(at), label }))
    .filter(({ at }) => at >= plot.from && at <= plot.to);
  const taken = bands
    .filter(({ hasLabel }) => hasLabel)
    .map(({ left, right, label }) => ({
      from: (left + right - textWidth(label)) / 2,
      to: (left + right + textWidth(label)) / 2,
    }));
  const labelled = visible.filter(({ label }) => label !== "");
  const places = placeLabels(
    labelled.map(({ at, label }) => ({ x: at, width: textWidth(label) })),
    plot,
    taken,
  );
  return visible.map((rule) => ({ ...rule, ...(places[labelled.indexOf(rule)] ?? { x: 0, anchor: "start", row: 0 }) }));
}

/** Drawn after the crosshair, whose line may cross it. */
function nameSvg({ label, x, anchor, row }: UprightRule, box: ChartBox): TemplateResult {
  return svg`<text class="rule-label" x=${x} y=${box.y + NAME_BASELINE + row * NAME_ROW_HEIGHT} text-anchor=${anchor}>${label}</text>`;
}

function levelSvg({ at, label }: ChartRule, box: ChartBox, toY: ToPixel): TemplateResult {
  const y = toY(at);
  if (!(y >= box.y && y <= box.y + box.height)) return svg``;
  return svg`<line class="rule" x1=${box.x} y1=${y} x2=${box.x + box.width} y2=${y} />
    <text class="rule-label" x=${box.x + 12} y=${y - 5}>${label}</text>`;
}

function dotSvg({ at, filled, tone }: ChartDot, place: (point: ChartPoint) => ChartPoint): TemplateResult {
  const [x, y] = place(at);
  if (!Number.isFinite(x) || !Number.isFinite(y)) return svg``;
  return svg`<circle class=${`dot ${tone} ${filled ? "filled" : ""}`} cx=${x} cy=${y} r="3" />`;
}

/** Splits a text that is wider than the plot into two lines. */
function tagLines(text: string, maxWidth: number): readonly string[] {
  const parts = text.split(" · ");
  if (textWidth(text) + 12 <= maxWidth || parts.length < 2) return [text];
  const half = Math.ceil(parts.length / 2);
  return [parts.slice(0, half).join(" · "), parts.slice(half).join(" · ")];
}

/** @param rows rows of names at the top that the text must leave free */
function chartCrosshairSvg(box: ChartBox, x: number, text: string, rows: number): TemplateResult {
  const lines = tagLines(text, box.width);
  const width = Math.max(...lines.map(textWidth)) + 12;
  const left = Math.min(Math.max(box.x, x + 8), box.x + box.width - width);
  const flipped = x + 8 + width > box.x + box.width ? Math.max(box.x, x - 8 - width) : left;
  const top = box.y + 22 + rows * NAME_ROW_HEIGHT;
  return svg`<line class="crosshair" x1=${x} y1=${box.y} x2=${x} y2=${box.y + box.height} />
    <rect class="tag" x=${flipped} y=${top} width=${width} height=${4 + 16 * lines.length} rx="2" />
    ${lines.map((line, n) => svg`<text class="tag-text" x=${flipped + 6} y=${top + 14 + 16 * n}>${line}</text>`)}`;
}
