import { writeSync } from "node:fs";

/** Loaded before the program that is measured: writes what the process used to the pipe that `run.ts` opens. */
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ kilobytes: maxRSS, microseconds: userCPUTime + systemCPUTime }));
});
