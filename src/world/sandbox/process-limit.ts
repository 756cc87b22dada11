import { randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { isAlive } from "../../ground/process-state.ts"

/** A control group. It is for root, because the limits of a shell do not bind root. */
export interface ProcessLimit {
  /** A process that writes its number to this file is in the group, with everything that it starts. */
  readonly members: string
  /** True if a process was kept from starting. */
  wasMet(): boolean
  processes(): readonly number[]
  remove(): void
}

/** Undefined if there are no control groups, or this process may not make one. */
export function capProcesses(most: number): ProcessLimit | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  for (const parent of ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"]) {
    const folder = path.join(parent, `cadre-${process.pid}-${randomUUID()}`)
    try {
      removeStale(parent)
      fs.mkdirSync(folder)
      fs.writeFileSync(path.join(folder, "pids.max"), String(most))
      return limitIn(folder)
    } catch {
      removeFolder(folder)
    }
  }
  return undefined
}

const cleanedParents = new Set<string>()

/** Removes the groups of hosts that were killed. */
function removeStale(parent: string): void {
  if (cleanedParents.has(parent)) return
  cleanedParents.add(parent)
  for (const name of fs.readdirSync(parent)) {
    const host = /^cadre-([0-9]+)-/.exec(name)?.[1]
    if (host !== undefined && !isAlive(Number(host))) removeFolder(path.join(parent, name))
  }
}

function limitIn(folder: string): ProcessLimit {
  const members = path.join(folder, "cgroup.procs")
  const read = (file: string) => {
    try {
      return fs.readFileSync(file, "utf8")
    } catch {
      return ""
    }
  }
  const processes = () => read(members).split("\n").filter(Boolean).map(Number)
  return {
    members,
    processes,
    wasMet: () => /^max [1-9]/m.test(read(path.join(folder, "pids.events"))),
    remove: () => removeEmptied(folder, processes, 0),
  }
}

/** A group can be removed when its last process is gone, which takes a moment. */
function removeEmptied(folder: string, processes: () => readonly number[], round: number): void {
  if (processes().length === 0 || round >= 50) removeFolder(folder)
  else setTimeout(() => removeEmptied(folder, processes, round + 1), 20).unref()
}

function removeFolder(folder: string): void {
  try {
    fs.rmdirSync(folder)
  } catch {
    // The group was never made, or a process is still in it.
  }
}
