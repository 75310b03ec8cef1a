/** Processor time of this process in milliseconds, without other programs' time. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
