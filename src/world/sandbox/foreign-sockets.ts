import fs from "node:fs"
import net from "node:net"
import path from "node:path"
import { entriesOf } from "../../ground/paths/look.ts"

/**
 * The unix sockets of other programs that a command could connect to, as paths without links. Those that live in this
 * network namespace, or in another one that may be looked at, the kernel lists by the path they were bound to. For the
 * rest, such as those of containers, the folders that a command works in are searched.
 */
export async function foreignSockets(folders: readonly string[]): Promise<readonly string[]> {
  const bound = boundPaths().flatMap(placesOf)
  const beside = [...new Set(bound.map((place) => path.dirname(place)))].flatMap(socketsBeside)
  const listed = new Set([...bound, ...beside].flatMap(socketAt))
  const found = socketsIn(folders).filter((place) => !listed.has(place))
  const isUsed = await Promise.all(found.map(isAnswered))
  return [...listed, ...found.filter((_, index) => isUsed[index])]
}

/** As they were bound: some begin where their process was then. */
function boundPaths(): readonly string[] {
  const seen = new Set<string>()
  const texts = ["self", ...processes()].map((id) => {
    const namespace = linkOf(`/proc/${id}/ns/net`)
    if (namespace === undefined || seen.has(namespace)) return ""
    seen.add(namespace)
    return textOf(`/proc/${id}/net/unix`)
  })
  const paths = texts.flatMap((text) =>
    text.split("\n").flatMap((line) => /^\S+: (?:\S+ +){6}([^@\s].*)$/.exec(line)?.[1] ?? []),
  )
  return [...new Set(paths)]
}

const placesOf = (bound: string): readonly string[] =>
  path.isAbsolute(bound) ? [bound] : workingFolders().map((folder) => path.join(folder, bound))

/** Some programs bind a socket under another name and rename it, or give it a second one: the kernel lists the first. */
const socketsBeside = (folder: string): readonly string[] =>
  entriesOf(folder).flatMap((entry) => (entry.isSocket() ? [path.join(folder, entry.name)] : []))

const workingFolders = (): readonly string[] => [
  ...new Set(processes().flatMap((id) => linkOf(`/proc/${id}/cwd`) ?? [])),
]

const mostEntries = 100_000

/** Nobody keeps a socket among packages or in what git stores, and that is most of a workspace. */
const isLarge = (folder: string): boolean => /\/(?:node_modules|\.git\/objects)$/.test(folder)

function socketsIn(folders: readonly string[]): readonly string[] {
  const found: string[] = []
  const pending = folders.filter((folder) => fs.existsSync(folder)).map((folder) => fs.realpathSync(folder))
  let looked = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
    for (const entry of entriesOf(folder)) {
      if (++looked > mostEntries) return found
      const place = `${folder === "/" ? "" : folder}/${entry.name}`
      if (entry.isSocket()) found.push(place)
      else if (entry.isDirectory() && !isLarge(place)) pending.push(place)
    }
  return found
}

/** What a program left behind that no longer runs can stay: whoever wants to listen there has to remove it. */
function isAnswered(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(place)
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.on("connect", () => settle(true))
    socket.on("error", ({ code }: NodeJS.ErrnoException) =>
      settle(code !== "ECONNREFUSED" && code !== "ENOENT"),
    )
    socket.setTimeout(500, () => settle(true))
  })
}

const processes = (): readonly string[] =>
  entriesOf("/proc").flatMap(({ name }) => (/^[0-9]+$/.test(name) ? [name] : []))

/** Without links. It may go away at any moment. */
function socketAt(place: string): readonly string[] {
  try {
    return fs.statSync(place).isSocket() ? [fs.realpathSync(place)] : []
  } catch {
    return []
  }
}

function linkOf(link: string): string | undefined {
  try {
    return fs.readlinkSync(link)
  } catch {
    return undefined
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
