import fs from "node:fs"
import type { Server } from "node:net"
import os from "node:os"
import path from "node:path"
import { makeRandomBytes } from "../../../ground/crypto.ts"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../../ground/out-of-files.ts"
import { isAlive } from "../../../ground/process-state.ts"
import { hasErrorCode } from "./disk.ts"
import { type ClaimOwner, identifySocketFolder, readThisProcess } from "./owner.ts"

/** `holds`: do you still hold this claim? `letter`: the same question, with the news that the claim has a letter. */
export type OwnerQuestion = "holds" | "letter"

export type OwnerAnswer =
  | "yes"
  | "no"
  /** No process listens any more: the kernel closed the socket when its process ended. */
  | "refused"
  /** The socket does not exist. */
  | "missing"
  /** A process listens but does not answer, such as a suspended one. */
  | "silent"

export interface OwnerEndpoint {
  readonly socket: string
  readonly place: string
}

/** The claims of this process by nonce, each with its callback for letters. */
export const heldClaims = new Map<string, () => void>()

/** Opens the one socket of this process, at its first claim. Each call needs a matching `closeEndpoint`. */
export async function openEndpoint(): Promise<OwnerEndpoint> {
  users++
  listener ??= listen()
  try {
    return (await listener).endpoint
  } catch (error) {
    users--
    listener = undefined
    throw error
  }
}

export async function closeEndpoint(): Promise<void> {
  users--
  if (users > 0 || listener === undefined) return
  const closing = listener
  listener = undefined
  const { server, forget } = await closing
  forget()
  // Not awaited: a client that connected and stays silent would keep the server open.
  server.close()
}

/**
 * Asks the owner over its socket. Half a second of silence is an answer too, and never means that the owner is dead.
 */
export async function askOwner(owner: ClaimOwner, question: OwnerQuestion): Promise<OwnerAnswer> {
  const ownListener = await listener?.catch(() => undefined)
  if (ownListener?.endpoint.socket === owner.socket) return answer(`${question} ${owner.nonce}`)
  const { connect } = await import("node:net")
  return new Promise((resolve) => {
    const connection = connect(owner.socket)
    const timer = setTimeout(() => done("silent"), maxSilence)
    const done = (result: OwnerAnswer) => {
      clearTimeout(timer)
      connection.destroy()
      resolve(result)
    }
    connection.once("connect", () => connection.write(`${question} ${owner.nonce}\n`))
    connection.once("data", (text) => done(String(text).startsWith("yes") ? "yes" : "no"))
    // The connection closed without an answer: the owner died while we asked.
    connection.once("end", () => done("refused"))
    connection.once("error", (error) => {
      if (hasErrorCode(error, "ECONNREFUSED", "ECONNRESET", "EPIPE")) done("refused")
      else done(hasErrorCode(error, "ENOENT") ? "missing" : "silent")
    })
  })
}

let users = 0
let listener: Promise<Listening> | undefined
const maxSilence = 500

interface Listening {
  readonly endpoint: OwnerEndpoint
  readonly server: Server
  forget(): void
}

async function listen(): Promise<Listening> {
  const { createServer } = await import("node:net")
  const server = createServer((connection) => {
    let text = ""
    connection.unref()
    connection.setEncoding("utf8")
    connection.on("error", () => connection.destroy())
    connection.on("data", (part) => {
      text += part
      if (text.includes("\n")) connection.end(`${answer(text.slice(0, text.indexOf("\n")))}\n`)
      else if (text.length > 200) connection.destroy()
    })
  })
  const socket = socketName()
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socket, resolve))
  } catch (error) {
    if (isOutOfFiles(error))
      throw new CadreError("STORE_FAILED", `Other processes could not ask who owns the run: ${outOfFiles}.`, {
        cause: error,
      })
    throw new CadreError(
      "STORE_FAILED",
      `Cannot listen on ${socket}: ${describeThrown(error)}. Point XDG_RUNTIME_DIR or TMPDIR to a local, writable directory.`,
      { cause: error },
    )
  }
  server.unref()
  const unlink = () => fs.rmSync(socket, { force: true })
  if (process.platform !== "win32") process.once("exit", unlink)
  return {
    endpoint: { socket, place: identifySocketFolder(socket) },
    server,
    forget: () => process.off("exit", unlink),
  }
}

function answer(line: string): "yes" | "no" {
  const [question, nonce] = line.split(" ")
  const onLetter = heldClaims.get(nonce ?? "")
  if (onLetter === undefined) return "no"
  if (question === "letter") onLetter()
  return "yes"
}

function socketName(): string {
  const unique = makeRandomBytes(6).toString("hex")
  if (process.platform === "win32") return `\\\\.\\pipe\\cadre-${process.pid}-${unique}`
  const namespace = /\d+/.exec(readThisProcess().namespace)?.[0] ?? "0"
  const folder = findRuntimeFolder()
  sweep(folder, namespace)
  return path.join(folder, `${namespace}-${process.pid}-${unique}.sock`)
}

/**
 * Finds a private folder with a short path, because the address of a socket may have only about a hundred bytes. A new
 * folder in `last` is the final resort.
 */
export function findRuntimeFolder({
  runtime = process.env.XDG_RUNTIME_DIR,
  temporary = os.tmpdir(),
  last = "/tmp",
  longest = 60,
} = {}): string {
  const name = `cadre-${process.getuid?.() ?? "user"}`
  const candidates = [path.join(temporary, name), path.join(last, name)]
  if (runtime !== undefined && path.isAbsolute(runtime)) candidates.unshift(path.join(runtime, "cadre"))
  const candidate = candidates.find((folder) => Buffer.byteLength(folder) <= longest && isPrivate(folder))
  // Another user may own the usual names.
  return candidate ?? fs.mkdtempSync(path.join(last, "cadre-"))
}

function isPrivate(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = fs.lstatSync(folder)
    return fs.lstatSync(folder).isDirectory() && uid === process.getuid?.() && (mode & 0o077) === 0
  } catch {
    return false
  }
}

/** Removes sockets of killed processes. Only process ids of our own namespace can be checked. */
function sweep(folder: string, namespace: string): void {
  for (const name of fs.readdirSync(folder)) {
    const [space, pid] = name.split("-")
    if (space !== namespace || !name.endsWith(".sock")) continue
    if (!isAlive(Number(pid))) fs.rmSync(path.join(folder, name), { force: true })
  }
}
