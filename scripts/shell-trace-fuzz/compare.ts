import path from "node:path"
import type { Access } from "../../src/agent/tool.ts"
import { isHelper, isNoise } from "./noise.ts"
import type { Deed } from "./read-trace.ts"
import { links } from "./world.ts"

export interface Judged {
  readonly line: string
  /** The folder that is worked in. */
  readonly folder: string
  readonly home: string
  /** The world that its own is a copy of. */
  readonly pattern: string
  readonly accesses: readonly Access[]
  /** Looks up a path as it was before the command ran. */
  readonly before: (path: string) => "file" | "folder" | "nothing"
}

/** The actions of a command that were not predicted, as text. */
export function untold(judged: Judged, deeds: readonly Deed[]): readonly string[] {
  const passing = temporaryFiles(judged, deeds)
  const faults = deeds.flatMap((deed, index) => {
    if (deed.type === "run" || deed.type === "connect") return outside(judged, deed, deeds, index)
    if (namesOf(deed.path, judged.folder).some((name) => passing.has(name)) || isNoise(deed, judged))
      return []
    if (namesOf(deed.path, judged.folder).some((name) => isTold(judged, deed, name))) return []
    return [`${verbs[deed.type]} ${shown(deed.path, judged)}${deed.failed ? " (tried)" : ""}`]
  })
  return [...new Set(faults)]
}

type FileDeed = Extract<Deed, { readonly path: string }>

const verbs = { read: "read", list: "listed", write: "wrote", make: "made", remove: "removed" }

/** Programs and connections. */
function outside(
  { line, accesses }: Judged,
  deed: Deed & { type: "run" | "connect" },
  deeds: readonly Deed[],
  index: number,
): readonly string[] {
  if (deed.type === "connect") {
    if (accesses.some(({ type }) => type === "host") || /nscd|AF_UNSPEC/.test(deed.address)) return []
    // Where rsync cannot write its own log, it writes to that of the system.
    if (/^rsync /.test(line) && deed.address.includes('"/dev/log"')) return []
    return [`connected to ${deed.address}`]
  }
  const name = path.basename(deed.program)
  // Bash is the one that runs the line.
  if (deeds.findIndex(({ type }) => type === "run") === index) return []
  const told = accesses.flatMap((access) => (access.type === "command" ? [programIn(access.text)] : []))
  // What is told is whom git talks to.
  const isTalk = name === "ssh" && told.includes("git") && accesses.some(({ type }) => type === "host")
  return told.includes(name) || isTalk || told.some((program) => isHelper(program, name, deed.words, deeds))
    ? []
    : [`ran ${[deed.program, ...deed.words.slice(1)].join(" ").slice(0, 120).replaceAll("\n", " ")}`]
}

const programIn = (text: string): string =>
  path.basename(/^(?:'[^']*'|[^ ])+/.exec(text)?.[0].replaceAll("'", "") ?? "")

/**
 * Files that were not there before and are gone at the end: made by the command on the way to others, in whose place they
 * were moved, or of no interest to anybody.
 */
function temporaryFiles({ before, folder }: Judged, deeds: readonly Deed[]): ReadonlySet<string> {
  const left = new Set<string>()
  const gone = new Set<string>()
  for (const deed of deeds) {
    if (!("path" in deed) || deed.failed || before(deed.path) !== "nothing") continue
    const name = namesOf(deed.path, folder).at(-1)!
    if (deed.type === "remove") gone.add(name)
    else if (deed.type === "make" || deed.type === "write") gone.delete(name)
    if (deed.type === "make" || deed.type === "write") left.add(name)
  }
  return new Set([...gone].filter((name) => left.has(name)))
}

/** A path, and what it is without the links of the world. */
function namesOf(file: string, folder: string): readonly string[] {
  const real = Object.entries(links).reduce((name, [link, target]) => {
    const place = path.join(folder, link)
    return name === place || name.startsWith(`${place}/`)
      ? path.resolve(folder, target) + name.slice(place.length)
      : name
  }, file)
  return [...new Set([file, real])]
}

function isTold({ accesses, folder, before }: Judged, deed: FileDeed, name: string): boolean {
  const needed = neededFor(deed, before(name))
  return accesses.some((access) => {
    if ((access.type !== "read" && access.type !== "write") || !needed.includes(access.type)) return false
    if (access.path === name) return true
    if (access.below && isWithin(access.path, name)) return true
    // Folders on the way to a file that is written, which are made for it, or removed when it was the last in them.
    return (
      /^(?:mkdir|rmdir|unlinkat\(.*AT_REMOVEDIR)/.test(deed.how) &&
      isWithin(name, access.path) &&
      isWithin(folder, name)
    )
  })
}

/** Which of the two must have been told. */
function neededFor(
  { type, failed, how }: FileDeed,
  before: "file" | "folder" | "nothing",
): readonly ("read" | "write")[] {
  if (type !== "read" && type !== "list") return ["write"]
  // To list a folder, to look whether a file is there, or to read what one has written oneself: either will do.
  const isGone = failed && /ENOENT/.test(how)
  return type === "read" && before === "file" && !isGone ? ["read"] : ["read", "write"]
}

export const isWithin = (folder: string, name: string): boolean =>
  name === folder || name.startsWith(folder === "/" ? "/" : `${folder}/`)

const shown = (name: string, { folder, home }: Judged): string =>
  name.replace(folder, ".").replace(path.dirname(folder), "..").replace(home, "~")
