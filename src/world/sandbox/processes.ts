import fs from "node:fs"

/** The processes whose environment holds `NAME=value`. Only those of this user can be seen, and only on Linux. */
export function markedProcesses(name: string, value: string): readonly number[] {
  const entry = `\0${name}=${value}\0`
  return numbersIn("/proc").filter((id) => {
    if (id === process.pid) return false
    try {
      return `\0${fs.readFileSync(`/proc/${id}/environ`, "latin1")}\0`.includes(entry)
    } catch {
      return false
    }
  })
}

/**
 * The processes that still belong to the terminal-less life which a process began, whether they kept their mark or not. While
 * one of them is there, its number is not given to another.
 */
export function processesLedBy(leader: number): readonly number[] {
  return numbersIn("/proc").filter((id) => {
    try {
      const text = fs.readFileSync(`/proc/${id}/stat`, "latin1")
      // Behind the name, which may hold anything: state, parent, group, and what it is led by.
      return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[3]) === leader
    } catch {
      return false
    }
  })
}

/** Kills them, and what they start meanwhile, until none is left. */
export async function killMarked(name: string, value: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const found = markedProcesses(name, value)
    if (found.length === 0) return
    for (const id of found) sendSignal(id, "SIGKILL")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export function sendSignal(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch {
    // Already gone.
  }
}

/** How many processes share a PID namespace with this one; 0 where that cannot be seen. */
export function processesInNamespaceOf(id: number): number {
  const namespace = namespaceOf(id)
  if (namespace === undefined) return 0
  return numbersIn("/proc").filter((other) => namespaceOf(other) === namespace).length
}

export const processCount = (): number => numbersIn("/proc").length

function namespaceOf(id: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${id}/ns/pid`)
  } catch {
    return undefined
  }
}

function numbersIn(folder: string): readonly number[] {
  try {
    return fs.readdirSync(folder).flatMap((name) => (/^[0-9]+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}
