import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import {
  type Cell,
  cellsOf,
  type Kind,
  type Run,
  runsOf,
  type Stack,
  stacksOf,
} from "../../src/core/config/report/layerStrip.ts";
import { summarise } from "../../src/core/config/report/summarise.ts";
import type { EncodingSpec } from "../../src/core/spec.ts";
import { grow } from "./grow.ts";
import type { Sight } from "./sidePage.ts";

function kindName(kind: Kind): string {
  switch (kind) {
    case "full":
      return t("full");
    case "sliding":
      return t("sliding");
    case "none":
      return t("without encoding");
  }
}

/** "34 · 29 sliding, 5 full" */
function inTotal(cells: readonly Cell[]): string {
  const counts = (["sliding", "full", "none"] as const)
    .map((kind) => ({ name: kindName(kind), count: cells.filter((cell) => cell.kind === kind).length }))
    .filter(({ count }) => count > 0);
  const [only] = counts;
  if (counts.length === 1 && only !== undefined) return `${cells.length} · ${t("all {0}", only.name)}`;
  return `${cells.length} · ${counts.map(({ name, count }) => `${count} ${name}`).join(", ")}`;
}

/** "layer 17 · RoPE · linear ×8 · θ 1e6" */
function runText({ from, to, cell }: Run, specs: readonly EncodingSpec[]): string {
  const which = from === to ? t("layer {0}", from) : t("layers {0}–{1}", from, to);
  const spec = cell.spec === null ? undefined : specs[cell.spec];
  return `${which} · ${spec === undefined ? t("no position encoding") : summarise([{ ...spec, layers: "all" }])}`;
}

/** The run of the strip that the pointer or the keyboard is on. */
export interface LayerAt {
  readonly where: string;
  readonly run: number;
}

/** What the strip shows, and what can be done with it. */
interface Strip {
  readonly title: string;
  readonly total: string;
  readonly runs: readonly Run[];
  readonly pointed: Run | null;
  /** Told below the strip: what is pointed at, else the first of the encoding that is shown. */
  readonly shown: Run | undefined;
  at(run: number | null): void;
  choose(run: Run): void;
}

function stripOf(stack: Stack, named: boolean, specs: readonly EncodingSpec[], sight: Sight): Strip {
  const { layerAt, atLayer, update, part } = sight;
  const cells = cellsOf(stack, specs);
  const runs = runsOf(cells);
  const pointed = layerAt?.where === stack.where ? (runs[layerAt.run] ?? null) : null;
  return {
    title: named ? t("Layers of {0}", stack.where) : t("Layers"),
    total: inTotal(cells),
    runs,
    pointed,
    shown: pointed ?? runs.find(({ cell }) => cell.spec === part.index) ?? runs[0],
    at: (run) => atLayer(run === null ? null : { where: stack.where, run }),
    choose: ({ cell: { spec } }) => {
      if (spec !== null) update((state) => ({ ...state, chosen: spec }));
    },
  };
}

function press(event: KeyboardEvent, { shown, runs, at, choose }: Strip): void {
  const next = moved(event.key, shown === undefined ? 0 : runs.indexOf(shown), runs.length);
  if (next === null && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  if (next !== null) at(next);
  else if (shown !== undefined) choose(shown);
}

function moved(key: string, now: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return Math.min(count - 1, now + 1);
    case "ArrowLeft":
    case "ArrowUp":
      return Math.max(0, now - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

const idOf = ({ from }: Run) => `layer-${from}`;

function option(run: Run, n: number, strip: Strip, specs: readonly EncodingSpec[], { part }: Sight): TemplateResult {
  const { kind, tone, spec } = run.cell;
  return html`<span id=${idOf(run)} role="option" aria-label=${runText(run, specs)} aria-selected=${spec === part.index}
    class=${`cell ${kind} tone-${tone} ${run === strip.pointed ? "pointed" : ""}`}
    ${grow(run.to - run.from + 1)}
    @pointerenter=${() => strip.at(n)} @click=${() => strip.choose(run)}></span>`;
}

/** A cell a layer of the stack that is shown: what it encodes, and a choice among its encodings. */
export function layers(specs: readonly EncodingSpec[], sight: Sight): TemplateResult | typeof nothing {
  const stacks = stacksOf(specs);
  const stack = stacks.find(({ where }) => where === sight.part.spec.where);
  if (stack === undefined) return nothing;
  const strip = stripOf(stack, stacks.length > 1, specs, sight);
  const { title, total, runs, shown } = strip;
  return html`<section aria-label=${title}>
    <h2>${title} <span class="total">${total}</span></h2>
    <div class="strip" role="listbox" tabindex="0" aria-orientation="horizontal" aria-label=${`${title}: ${total}`}
      aria-activedescendant=${shown === undefined ? nothing : idOf(shown)}
      @keydown=${(event: KeyboardEvent) => press(event, strip)}
      @pointerleave=${() => strip.at(null)} @blur=${() => strip.at(null)}>
      ${runs.map((run, n) => option(run, n, strip, specs, sight))}
    </div>
    <p class="caption">${shown === undefined ? nothing : runText(shown, specs)}</p>
  </section>`;
}
