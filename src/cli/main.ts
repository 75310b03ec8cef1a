import { runCommandLine } from "./program.ts";

void runCommandLine(process.argv.slice(2)).then((result) => {
  process.stdout.write(result.stdout);
  process.stderr.write(result.stderr);
  process.exitCode = result.exitCode;
});
