/** Milliseconds that this thread has computed: what else the machine does is not in it. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
