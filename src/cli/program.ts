import { Command, CommanderError } from "commander";
import { type AttentionOptions, runAttention } from "./attention.ts";
import { type CheckOptions, runCheck } from "./check.ts";
import { type CompareOptions, runCompare } from "./compare.ts";
import { runExplain } from "./explain.ts";
import { type InspectOptions, runInspect } from "./inspect.ts";
import { type CommandResult, failure } from "./io.ts";
import { runList } from "./list.ts";
import { type MatrixOptions, runMatrix } from "./matrix.ts";
import { joinLines } from "./output.ts";
import { type PlanCommandOptions, runPlan } from "./plan.ts";
import { settingsProblems } from "./projectSettings.ts";
import { runVerify, type VerifyOptions } from "./verify.ts";

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Builds the command line parser; each command passes its result to `finish`. */
function buildProgram(finish: (result: CommandResult) => void): Command {
  const posenc = new Command("posenc")
    .description("Explains, draws and checks the position encodings of Transformers.")
    .exitOverride()
    .showHelpAfterError();
  posenc
    .command("inspect")
    .description("show the position encodings of model configs")
    .argument("<path...>", "files, or folders to search")
    .option("--json", "print JSON", false)
    .option("--runtimes", "also show what transformers 4 and 5, vLLM, SGLang, TGI, llama.cpp and MLX read", false)
    .action(async (paths: string[], options: InspectOptions) => finish(await runInspect(paths, options)));
  posenc
    .command("check")
    .description("check the position encodings of model configs")
    .argument("<path...>", "files, or folders to search")
    .option("--format <format>", "output format: text, json, sarif or github", "text")
    .option("--max-warnings <n>", "exit with 1 if there are more warnings than this")
    .option("--baseline <file>", "JSON output of an earlier run; its findings are not reported again")
    .action(async (paths: string[], options: CheckOptions) => finish(await runCheck(paths, options)));
  posenc
    .command("compare")
    .description("show what differs between two configs and at which distance their scores diverge")
    .argument("<a>", "config file, or folder with one")
    .argument("<b>", "config to compare with")
    .option(
      "--tolerance <share>",
      "difference that counts as divergence, as a fraction of the score spread (default: 0.1)",
    )
    .option("--json", "print JSON", false)
    .action(async (a: string, b: string, options: CompareOptions) => finish(await runCompare([a, b], options)));
  posenc
    .command("plan")
    .description("compute RoPE parameters for a longer context: linear, NTK, dynamic, YaRN, Llama 3, LongRoPE")
    .argument("[path]", "config to plan for")
    .requiredOption("--target <tokens>", "target context")
    .option("--trained <tokens>", "training context; by default the config's")
    .option("--theta <base>", "RoPE base; by default the config's, or 10000")
    .option("--head-dim <n>", "head dimensions that rotate; by default the config's, or 128")
    .option("--method <method>", "only this method: linear, ntk, dynamic, yarn, llama3 or longrope")
    .option("--format <format>", "print text to paste: v4, v5, vllm or llama.cpp")
    .option("--json", "print JSON", false)
    .action(async (path: string | undefined, options: PlanCommandOptions) => finish(await runPlan(path, options)));
  posenc
    .command("explain")
    .description("explain the position encoding at a location in Python code, as the hover does")
    .argument("[place]", "FILE:LINE:COLUMN, 1-based")
    .option("--points <file>", "JSON file with a list of locations {file, line, column}")
    .option("--json", "print JSON", false)
    .action((place: string | undefined, options: { points?: string; json: boolean }) =>
      finish(runExplain({ place, points: options.points, json: options.json })),
    );
  posenc
    .command("list")
    .description("list all encodings")
    .option("--json", "print JSON", false)
    .action((options: { json: boolean }) => finish(runList(options)));
  posenc
    .command("matrix")
    .description("compute the matrix of a view of an encoding")
    .argument("<id>", "id of an encoding (see posenc list)")
    .option("--set <name=JSON>", "set a parameter; repeatable", collect, [])
    .option("--inputs <file>", "JSON file with learned arrays and vectors")
    .option("--view <view>", "scores, attention, bias, table or term:ID", "scores")
    .option("--rows <a:b[:step]>", "range of query indices, half-open")
    .option("--cols <a:b[:step]>", "range of key indices (or table dimensions), half-open")
    .option("--head <h>", "head index, from 0", "0")
    .option("--content <content>", "ones, random:SEED or FILE.json with q, k, x", "ones")
    .option("--mask <mask>", "none, causal, window:N, window:N:S (keeps the first S tokens) or chunk:N", "none")
    .option("--sink <logit>", "extra logit in each row's softmax (attention sink)")
    .option("--shift <s>", "added to every position", "0")
    .option("--format <format>", "format on stdout: csv or json", "csv")
    .option("-o, --output <file>", "write to a .csv, .npy, .json, .png or .svg file")
    .action((id: string, options: MatrixOptions) => finish(runMatrix(id, options)));
  posenc
    .command("attention")
    .description("compute a model's own attention from its config, weights and tokenizer")
    .argument("<folder>", "folder with config.json, safetensors files and tokenizer.json")
    .option("--text <text>", "text to compute it for")
    .option("--ids <ids>", "token ids instead of a text: 1,2,3")
    .option("--decoder-text <text>", "text of the decoder, for encoder-decoder models")
    .option("--decoder-ids <ids>", "token ids of the decoder instead, after its start token")
    .requiredOption("--layer <layer>", "layer index, from 0, or all")
    .option("--head <h>", "only this head, from 0")
    .option("--set <name=JSON>", "change a parameter of the position encoding (what if); repeatable", collect, [])
    .option(
      "--what <arrays>",
      "any of hidden_in, q, k, q_rot, k_rot, bias, logits and attention, separated by commas",
      "attention",
    )
    .option("--json", "print JSON", false)
    .option("--npy <file>", "write one array to a .npy file; with --layer all, the layers along its first axis")
    .action(async (folder: string, options: AttentionOptions) => finish(await runAttention(folder, options)));
  posenc
    .command("verify")
    .description("check whether captured queries and keys were rotated as the config declares")
    .argument("<capture>", "safetensors file with layers.N.q, layers.N.q_rot, layers.N.k, layers.N.k_rot")
    .requiredOption("--config <path>", "config, or folder with config.json")
    .option("--json", "print JSON", false)
    .action(async (capture: string, options: VerifyOptions) => finish(await runVerify(capture, options)));
  return posenc;
}

/** A pattern that is not used changes what is checked, so that it is said. */
function withSettingsProblems(result: CommandResult): CommandResult {
  return { ...result, stderr: joinLines(settingsProblems().map((problem) => `posenc: ${problem}`)) + result.stderr };
}

/**
 * Runs one command line, without node and script.
 * @returns exit code 2 for usage errors, 0 for help
 */
export async function runCommandLine(argv: readonly string[]): Promise<CommandResult> {
  let result: CommandResult = failure("no command given; see posenc --help");
  let printed = "";
  const posenc = buildProgram((value) => {
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
    return withSettingsProblems(result);
  } catch (error) {
    if (!(error instanceof CommanderError)) return failure(error instanceof Error ? error.message : String(error));
    if (error.exitCode === 0) return { exitCode: 0, stdout: printed, stderr: "" };
    return { exitCode: 2, stdout: "", stderr: printed };
  }
}
