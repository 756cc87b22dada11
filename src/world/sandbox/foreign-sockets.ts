import fs from "node:fs"
import net from "node:net"
import path from "node:path"
import { listEntries } from "../../ground/paths/look.ts"

/**
 * The unix sockets of other programs that a command could connect to, as paths without links. The kernel
 * lists those of this network namespace, and of others that may be looked at, by the path that they were
 * bound to. For the rest, such as those of containers, the folders that a command works in are searched.
 */
export async function findForeignSockets(folders: readonly string[]): Promise<readonly string[]> {
  const boundPlaces = boundPaths().flatMap(resolveBound)
  const beside = [...new Set(boundPlaces.map((place) => path.dirname(place)))].flatMap(socketsBeside)
  const listedSockets = new Set([...boundPlaces, ...beside].flatMap(socketAt))
  const otherSockets = socketsIn(folders).filter((place) => !listedSockets.has(place))
  const isUsed = await Promise.all(otherSockets.map(isAnswered))
  return [...listedSockets, ...otherSockets.filter((_, index) => isUsed[index])]
}

/** The paths as they were bound: some are relative to the folder of their process at that time. */
function boundPaths(): readonly string[] {
  const seen = new Set<string>()
  const texts = ["self", ...processes()].map((id) => {
    const namespace = readLink(`/proc/${id}/ns/net`)
    if (namespace === undefined || seen.has(namespace)) return ""
    seen.add(namespace)
    return readText(`/proc/${id}/net/unix`)
  })
  const paths = texts.flatMap((text) =>
    text.split("\n").flatMap((line) => /^\S+: (?:\S+ +){6}([^@\s].*)$/.exec(line)?.[1] ?? []),
  )
  return [...new Set(paths)]
}

const resolveBound = (bound: string): readonly string[] =>
  path.isAbsolute(bound) ? [bound] : workingFolders().map((folder) => path.join(folder, bound))

/**
 * Some programs rename a socket after binding it, or give it a second name: the kernel lists the first name.
 */
const socketsBeside = (folder: string): readonly string[] =>
  listEntries(folder).flatMap((entry) => (entry.isSocket() ? [path.join(folder, entry.name)] : []))

const workingFolders = (): readonly string[] => [
  ...new Set(processes().flatMap((id) => readLink(`/proc/${id}/cwd`) ?? [])),
]

const mostEntries = 100_000

/** Sockets do not lie among packages or git's objects, and those are most of a workspace. */
const isLarge = (folder: string): boolean => /\/(?:node_modules|\.git\/objects)$/.test(folder)

function socketsIn(folders: readonly string[]): readonly string[] {
  const sockets: string[] = []
  const pending = folders.filter((folder) => fs.existsSync(folder)).map((folder) => fs.realpathSync(folder))
  let count = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
    for (const entry of listEntries(folder)) {
      if (++count > mostEntries) return sockets
      const place = `${folder === "/" ? "" : folder}/${entry.name}`
      if (entry.isSocket()) sockets.push(place)
      else if (entry.isDirectory() && !isLarge(place)) pending.push(place)
    }
  return sockets
}

/** A socket whose program has ended can stay: a program that wants to listen there has to remove it first. */
function isAnswered(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(place)
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on("connect", () => finish(true))
    socket.on("error", ({ code }: NodeJS.ErrnoException) => finish(code !== "ECONNREFUSED"))
    socket.setTimeout(500, () => finish(true))
  })
}

const processes = (): readonly string[] =>
  listEntries("/proc").flatMap(({ name }) => (/^[0-9]+$/.test(name) ? [name] : []))

/** The real path of a socket, which may disappear at any moment. */
function socketAt(place: string): readonly string[] {
  try {
    return fs.statSync(place).isSocket() ? [fs.realpathSync(place)] : []
  } catch {
    return []
  }
}

function readLink(link: string): string | undefined {
  try {
    return fs.readlinkSync(link)
  } catch {
    return undefined
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
