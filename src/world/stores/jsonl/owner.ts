import fs from "node:fs"
import os from "node:os"
import { createHash } from "../../../ground/crypto.ts"
import { processState, startOf } from "../../../ground/process-state.ts"

/** Who holds a claim, precisely enough to tell a living owner from a dead one and from a reused process id. */
export interface Owner extends Process {
  readonly host: string
  /** The socket this process listens on while it lives, and the folder it is in as `device:inode`. */
  readonly socket: string
  readonly place: string
  /** Of this claim alone: a process that lives on may have given the tree up. */
  readonly nonce: string
}

export interface Process {
  /** Empty where it cannot be told: then another boot looks like another machine. */
  readonly machine: string
  /** Of the kernel, since it started. Empty where the platform does not tell (macOS, Windows). */
  readonly boot: string
  /** The process id namespace: ids of different ones cannot be compared. */
  readonly namespace: string
  readonly pid: number
  /** When the process started, in ticks since boot: a reused pid has another. Empty like `boot`. */
  readonly start: string
}

export const describe = (owner: Owner, detail: string): string =>
  `process ${owner.pid} on ${owner.host}${detail === "" ? "" : ` (${detail})`}`

/** A header is only a file: whatever is done with a process id must start from a sound one. */
export function isOwner(value: unknown): value is Owner {
  if (typeof value !== "object" || value === null) return false
  const { pid, ...rest } = value as { [key in keyof Owner]?: unknown }
  const texts = [
    rest.machine,
    rest.boot,
    rest.namespace,
    rest.start,
    rest.host,
    rest.socket,
    rest.place,
    rest.nonce,
  ]
  return Number.isSafeInteger(pid) && (pid as number) > 0 && texts.every((text) => typeof text === "string")
}

/** What does not change while this process lives. */
export function thisProcess(): Process {
  known ??= {
    machine: machineId(),
    boot: readText("/proc/sys/kernel/random/boot_id"),
    // A /proc that shows another namespace than ours would tell about other processes.
    namespace: linkTarget("/proc/self") === String(process.pid) ? linkTarget("/proc/self/ns/pid") : "",
    pid: process.pid,
    start: startOf(process.pid),
  }
  return known
}

/** `same`: that very process runs. `gone`: it certainly does not. */
export function ownerState(owner: Process): "same" | "gone" | "unknown" {
  const me = thisProcess()
  if (owner.boot !== me.boot || owner.namespace === "" || owner.namespace !== me.namespace) return "unknown"
  return processState(owner.pid, owner.start)
}

/** The folder of a socket as `device:inode`. */
export function placeOf(socket: string): string {
  try {
    const { dev, ino } = fs.statSync(socket.slice(0, socket.lastIndexOf("/")) || "/")
    return `${dev}:${ino}`
  } catch {
    return ""
  }
}

let known: Process | undefined

/**
 * Containers of one image share a machine id, so the host name is part of it. Without a machine id (macOS, Windows) the
 * host name alone must do: two machines of one name that share a folder are taken for one.
 */
function machineId(): string {
  const id = process.platform === "linux" ? readText("/etc/machine-id") : process.platform
  if (id === "") return ""
  return createHash("sha256").update(`cadre ${id} ${os.hostname()}`).digest("hex").slice(0, 16)
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8").trim()
  } catch {
    return ""
  }
}

function linkTarget(link: string): string {
  try {
    return fs.readlinkSync(link)
  } catch {
    return ""
  }
}
