import { Command, CommanderError } from "commander";
import { type CheckOptions, runCheck } from "./check.ts";
import { type CompareOptions, runCompare } from "./compare.ts";
import { runExplain } from "./explain.ts";
import { type InspectOptions, runInspect } from "./inspect.ts";
import { type CommandResult, failure } from "./io.ts";
import { runList } from "./list.ts";
import { type MatrixOptions, runMatrix } from "./matrix.ts";
import { type PlanOptions, runPlan } from "./plan.ts";

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** The table of commands; each fills `result`. */
function program(finish: (result: CommandResult) => void): Command {
  const posenc = new Command("posenc")
    .description("Explains, draws and checks the position encodings of Transformers.")
    .exitOverride()
    .showHelpAfterError();
  posenc
    .command("inspect")
    .description("the position encodings of model configs: files, or folders searched for them")
    .argument("<path...>", "files and folders")
    .option("--json", "as JSON", false)
    .option("--runtimes", "with what transformers 4 and 5, vLLM, SGLang, TGI, llama.cpp and MLX read", false)
    .action(async (paths: string[], options: InspectOptions) => finish(await runInspect(paths, options)));
  posenc
    .command("check")
    .description("what is wrong with the position encodings of model configs")
    .argument("<path...>", "files and folders")
    .option("--format <format>", "text, json, sarif or github", "text")
    .option("--max-warnings <n>", "exit 1 if there are more warnings than this")
    .option("--baseline <file>", "JSON output of an earlier run: its findings are left out")
    .action(async (paths: string[], options: CheckOptions) => finish(await runCheck(paths, options)));
  posenc
    .command("compare")
    .description("what differs between two configs, and from which distance on scores part")
    .argument("<a>", "a file, or a folder with a config")
    .argument("<b>", "another")
    .option("--tolerance <share>", "share of a score's spread that counts as visible (0.1)")
    .option("--json", "as JSON", false)
    .action(async (a: string, b: string, options: CompareOptions) => finish(await runCompare([a, b], options)));
  posenc
    .command("plan")
    .description("parameters for a longer context: linear, NTK, dynamic, YaRN, Llama 3, LongRoPE")
    .argument("[path]", "a config to plan for")
    .requiredOption("--target <tokens>", "context that is wanted")
    .option("--trained <tokens>", "context of the training; by default the config's")
    .option("--theta <base>", "base of the rotation; by default the config's, or 10000")
    .option("--head-dim <n>", "dimensions of a head that turn; by default the config's, or 128")
    .option("--method <method>", "one of them")
    .option("--format <format>", "v4, v5, vllm or llama.cpp: text to paste")
    .option("--json", "as JSON", false)
    .action(async (path: string | undefined, options: PlanOptions) => finish(await runPlan(path, options)));
  posenc
    .command("explain")
    .description("what the hover at a place in Python code says")
    .argument("[place]", "FILE:LINE:COLUMN, 1-based")
    .option("--points <file>", "many places: a JSON list of {file, line, column}")
    .option("--json", "as JSON", false)
    .action((place: string | undefined, options: { points?: string; json: boolean }) =>
      finish(runExplain({ place, points: options.points, json: options.json })),
    );
  posenc
    .command("list")
    .description("the catalogue of encodings")
    .option("--json", "as JSON", false)
    .action((options: { json: boolean }) => finish(runList(options)));
  posenc
    .command("matrix")
    .description("numbers of a view of an encoding")
    .argument("<id>", "an encoding's id (see posenc list)")
    .option("--set <name=JSON>", "a parameter; may be repeated", collect, [])
    .option("--inputs <file>", "learned arrays and vectors, as JSON")
    .option("--view <view>", "scores, attention, bias, table or term:ID", "scores")
    .option("--rows <a:b[:step]>", "query indices, half-open")
    .option("--cols <a:b[:step]>", "key indices (dimensions of a table), half-open")
    .option("--head <h>", "head, from 0", "0")
    .option("--content <content>", "ones, random:SEED or FILE.json with q, k, x", "ones")
    .option("--mask <mask>", "none, causal, window:N, window:N:S (the first S tokens kept) or chunk:N", "none")
    .option("--sink <logit>", "a logit that joins each row's softmax and is dropped")
    .option("--shift <s>", "added to every position", "0")
    .option("--format <format>", "csv or json, on stdout", "csv")
    .option("-o, --output <file>", "write .csv, .npy, .json, .png or .svg")
    .action((id: string, options: MatrixOptions) => finish(runMatrix(id, options)));
  return posenc;
}

/** Runs one command line (without node and script). Usage errors are exit 2; help is exit 0. */
export async function run(argv: readonly string[]): Promise<CommandResult> {
  let result: CommandResult = failure("no command given; see posenc --help");
  let printed = "";
  const posenc = program((value) => {
    result = value;
  });
  for (const command of [posenc, ...posenc.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: (text) => {
        printed += text;
      },
    });
  }
  try {
    await posenc.parseAsync([...argv], { from: "user" });
    return result;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exitCode: 0, stdout: printed, stderr: "" };
    return { exitCode: 2, stdout: "", stderr: printed };
  }
}
