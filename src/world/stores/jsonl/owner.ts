import fs from "node:fs"
import os from "node:os"
import { createHash } from "../../../ground/crypto.ts"
import { processState, readProcessStart } from "../../../ground/process-state.ts"

/**
 * The holder of a claim, in enough detail to distinguish a living owner from a dead one and from a reused process id.
 */
export interface ClaimOwner extends Process {
  readonly host: string
  /** The socket that this process listens on while it lives, and its folder as `device:inode`. */
  readonly socket: string
  readonly place: string
  /** Unique to this claim: a living process may have released the tree. */
  readonly nonce: string
}

export interface Process {
  /** The id of the machine. Empty if unknown: then another boot looks like another machine. */
  readonly machine: string
  /** The kernel's id of this boot. Empty if the platform has none (macOS, Windows). */
  readonly boot: string
  /** The process id namespace. Ids of different namespaces cannot be compared. */
  readonly namespace: string
  readonly pid: number
  /** The start of the process, in ticks since boot, which differs for a reused pid. Empty like `boot`. */
  readonly start: string
}

export const describeOwner = (owner: ClaimOwner, detail: string): string =>
  `process ${owner.pid} on ${owner.host}${detail === "" ? "" : ` (${detail})`}`

/** Anybody can write a file, so the fields are checked before a process id is used. */
export function isOwner(value: unknown): value is ClaimOwner {
  if (typeof value !== "object" || value === null) return false
  const { pid, ...rest } = value as { [key in keyof ClaimOwner]?: unknown }
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

/** The facts about this process, which never change. */
export function readThisProcess(): Process {
  currentProcess ??= {
    machine: machineId(),
    boot: readText("/proc/sys/kernel/random/boot_id"),
    // A /proc of another namespace would describe other processes.
    namespace: linkTarget("/proc/self") === String(process.pid) ? linkTarget("/proc/self/ns/pid") : "",
    pid: process.pid,
    start: readProcessStart(process.pid),
  }
  return currentProcess
}

/** `same`: exactly this process is running. `gone`: it certainly is not. */
export function findOwnerState(owner: Process): "same" | "gone" | "unknown" {
  const me = readThisProcess()
  if (owner.boot !== me.boot || owner.namespace === "" || owner.namespace !== me.namespace) return "unknown"
  return processState(owner.pid, owner.start)
}

/** The folder of a socket as `device:inode`. */
export function identifySocketFolder(socket: string): string {
  try {
    const { dev, ino } = fs.statSync(socket.slice(0, socket.lastIndexOf("/")) || "/")
    return `${dev}:${ino}`
  } catch {
    return ""
  }
}

let currentProcess: Process | undefined

/**
 * Containers of one image share a machine id, so the host name is part of it. Without a machine id (macOS, Windows)
 * there is only the host name. Two machines of the same name that share a folder then look like one.
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
