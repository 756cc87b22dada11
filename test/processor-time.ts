/** Milliseconds of processor time that this process has had. Other work on the machine does not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
