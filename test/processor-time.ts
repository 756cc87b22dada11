/**
 * Processor time that this process has had, in milliseconds of a machine on which a fixed piece of work takes ten: so a
 * bound on it is a ratio to that work in the same run. Other work on the machine does not count.
 */
export function processorTime(): number {
  unit ??= Math.min(...Array.from({ length: 5 }, referenceTime)) / 10
  return spent() / unit
}

let unit: number | undefined

function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function referenceTime(): number {
  const began = spent()
  const words = new Map<string, number>()
  for (let index = 0; index < 80_000; index++) words.set(`word ${index % 5_000}`, index)
  JSON.parse(JSON.stringify([...words]))
  return Math.max(spent() - began, 1)
}
