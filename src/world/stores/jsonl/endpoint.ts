import fs from "node:fs"
import type { Server } from "node:net"
import os from "node:os"
import path from "node:path"
import { randomBytes } from "../../../ground/crypto.ts"
import { CadreError, messageOf } from "../../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../../ground/out-of-files.ts"
import { isAlive } from "../../../ground/process-state.ts"
import { hasCode } from "./disk.ts"
import { type Owner, placeOf, thisProcess } from "./owner.ts"

/** `holds`: do you still hold this claim? `letter`: the same, and there is a letter for it. */
export type Question = "holds" | "letter"

export type Answer =
  | "yes"
  | "no"
  /** Nobody listens any more: the kernel closed the socket with its process. */
  | "refused"
  /** There is no such socket. */
  | "missing"
  /** Somebody listens and says nothing, as a suspended process does. */
  | "silent"

export interface Endpoint {
  readonly socket: string
  readonly place: string
}

/** Claims held by this process, by nonce, with what to do when a letter comes. */
export const holdings = new Map<string, () => void>()

/** One socket for the whole process, opened with its first claim. Every call needs its `closeEndpoint`. */
export async function openEndpoint(): Promise<Endpoint> {
  users++
  opened ??= listen()
  try {
    return (await opened).endpoint
  } catch (error) {
    users--
    opened = undefined
    throw error
  }
}

export async function closeEndpoint(): Promise<void> {
  users--
  if (users > 0 || opened === undefined) return
  const closing = opened
  opened = undefined
  const { server, forget } = await closing
  forget()
  // Not waited for: somebody who connected and says nothing would keep it open.
  server.close()
}

/** Asks the owner itself. Half a second of silence is an answer too: no timer here ever makes an owner dead. */
export async function ask(owner: Owner, question: Question): Promise<Answer> {
  const own = await opened?.catch(() => undefined)
  if (own?.endpoint.socket === owner.socket) return answer(`${question} ${owner.nonce}`)
  const { connect } = await import("node:net")
  return new Promise((resolve) => {
    const connection = connect(owner.socket)
    const timer = setTimeout(() => done("silent"), patience)
    const done = (result: Answer) => {
      clearTimeout(timer)
      connection.destroy()
      resolve(result)
    }
    connection.setEncoding("utf8")
    connection.once("connect", () => connection.write(`${question} ${owner.nonce}\n`))
    connection.once("data", (text) => done(String(text).startsWith("yes") ? "yes" : "no"))
    // Closed without an answer: it died while we asked.
    connection.once("end", () => done("refused"))
    connection.once("error", (error) => {
      if (hasCode(error, "ECONNREFUSED", "ECONNRESET", "EPIPE")) done("refused")
      else done(hasCode(error, "ENOENT") ? "missing" : "silent")
    })
  })
}

let users = 0
let opened: Promise<Listening> | undefined
const patience = 500

interface Listening {
  readonly endpoint: Endpoint
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
      throw new CadreError("STORE_FAILED", `Nobody could ask who owns the run: ${outOfFiles}.`, {
        cause: error,
      })
    throw new CadreError(
      "STORE_FAILED",
      `Cannot listen on ${socket}: ${messageOf(error)}. Point XDG_RUNTIME_DIR or TMPDIR to a local, writable directory.`,
      { cause: error },
    )
  }
  server.unref()
  const unlink = () => fs.rmSync(socket, { force: true })
  if (process.platform !== "win32") process.once("exit", unlink)
  return { endpoint: { socket, place: placeOf(socket) }, server, forget: () => process.off("exit", unlink) }
}

function answer(line: string): "yes" | "no" {
  const [question, nonce] = line.split(" ")
  const onLetter = holdings.get(nonce ?? "")
  if (onLetter === undefined) return "no"
  if (question === "letter") onLetter()
  return "yes"
}

function socketName(): string {
  const unique = randomBytes(6).toString("hex")
  if (process.platform === "win32") return `\\\\.\\pipe\\cadre-${process.pid}-${unique}`
  const namespace = /\d+/.exec(thisProcess().namespace)?.[0] ?? "0"
  const folder = runtimeFolder()
  sweep(folder, namespace)
  return path.join(folder, `${namespace}-${process.pid}-${unique}.sock`)
}

/** A private folder with a short path: the address of a socket may have about a hundred bytes. `last` always has one. */
export function runtimeFolder({
  runtime = process.env.XDG_RUNTIME_DIR,
  temporary = os.tmpdir(),
  last = "/tmp",
  longest = 60,
} = {}): string {
  const name = `cadre-${process.getuid?.() ?? "user"}`
  const candidates = [path.join(temporary, name), path.join(last, name)]
  if (runtime !== undefined && path.isAbsolute(runtime)) candidates.unshift(path.join(runtime, "cadre"))
  const found = candidates.find((folder) => Buffer.byteLength(folder) <= longest && isPrivate(folder))
  // Somebody else may have taken the usual names.
  return found ?? fs.mkdtempSync(path.join(last, "cadre-"))
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

/** Removes what killed processes left. Only ids of our own namespace can be told dead. */
function sweep(folder: string, namespace: string): void {
  for (const name of fs.readdirSync(folder)) {
    const [space, pid] = name.split("-")
    if (space !== namespace || !name.endsWith(".sock")) continue
    if (!isAlive(Number(pid))) fs.rmSync(path.join(folder, name), { force: true })
  }
}
