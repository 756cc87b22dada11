import fs from "node:fs"

/**
 * The processes whose environment contains `NAME=value`. Only those of this user can be seen, and only on
 * Linux.
 */
export function findMarkedProcesses(name: string, value: string): readonly number[] {
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
 * The processes of the session that a process began, whether they kept their mark or not. While one of them
 * exists, the number of that session is not reused.
 */
export function findLedProcesses(leader: number): readonly number[] {
  return numbersIn("/proc").filter((id) => {
    try {
      const text = fs.readFileSync(`/proc/${id}/stat`, "latin1")
      // The fields behind the name, which may contain anything: state, parent, group, session.
      return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[3]) === leader
    } catch {
      return false
    }
  })
}

/**
 * Kills the marked processes, and those that they start meanwhile, until none is left. Gives up after 20
 * rounds.
 */
export async function killMarked(name: string, value: string): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const ids = findMarkedProcesses(name, value)
    if (ids.length === 0) return
    for (const id of ids) sendSignal(id, "SIGKILL")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export function sendSignal(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch {
    // The process is gone already.
  }
}

/** The number of processes that share a PID namespace with this one; 0 where that cannot be seen. */
export function countNamespaceProcesses(id: number): number {
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
