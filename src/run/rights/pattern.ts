import { lookUpTool, otherNamesOf, splitToolName } from "../../agent/catalogue/look-up.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { Access } from "../../agent/tool.ts"
import { matches } from "../../ground/patterns/stars.ts"

/** What a rule speaks of: every call of the tools it names, or, with an argument, one kind of thing that any call may do. */
export interface RulePattern {
  readonly tool: string
  readonly argument?: string
}

const parsed = new Map<string, RulePattern>()

export function readRulePattern(text: string): RulePattern {
  const known = parsed.get(text)
  if (known) return known
  const { name, argument } = splitToolName(text)
  const pattern = argument === undefined || argument === "*" ? { tool: name } : { tool: name, argument }
  // Definitions are few; whoever makes up patterns without end must not fill the memory.
  if (parsed.size > 10_000) parsed.clear()
  parsed.set(text, pattern)
  return pattern
}

/** Whether a rule's argument speaks of this access, whichever tool it comes from. */
export function covers({ tool, argument = "" }: RulePattern, access: Access): boolean {
  switch (access.type) {
    case "command":
      return tool === "Bash" && coversCommand(argument, access.text)
    case "read":
    case "write":
      return pathTools[access.type].includes(tool) && coversPath(argument, access.path)
    case "host":
      return tool === "WebFetch" && coversHost(argument, access.host)
    case "agent":
      return tool === "Agent" && coversAgent(argument, [access.name, ...(access.aliases ?? [])])
    case "executor":
      return tool === executorToolName && matches(argument, access.name)
    case "unclear":
      return tool === "Bash" && argument === access.command && !argument.includes("*")
    case "dangerous":
      return false
  }
}

/** Whether an argument speaks of everything below a path, and whether it may speak of something there. */
export function coversBelow({ tool, argument = "" }: RulePattern, access: Access): "all" | "some" | "none" {
  if (access.type !== "read" && access.type !== "write") return "none"
  if (!pathTools[access.type].includes(tool)) return "none"
  const wanted = segmentsOf(argument)
  const open = opened(wanted, access.path)
  if (open.size === 0) return "none"
  if (wanted.at(-1) === "**" && open.has(wanted.length)) return "all"
  return [...open].some((at) => at < wanted.length) ? "some" : "none"
}

/** Commands that are checked are calls of this tool, which nobody is offered. */
export const commandTool = "Bash"

/** Whose argument is a path, by what is done to it. */
export const pathTools: Readonly<Record<"read" | "write", readonly string[]>> = {
  read: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
  write: ["Edit", "Write", "ApplyPatch"],
}

export const isAboutPaths = ({ tool, argument }: RulePattern): boolean =>
  argument !== undefined && ofPaths.has(tool)

const ofPaths: ReadonlySet<string> = new Set(Object.values(pathTools).flat())

/** Whether a rule is about single things that a command may do. */
export const isAboutCommands = (pattern: RulePattern): boolean =>
  isAboutPaths(pattern) || (pattern.argument !== undefined && ["Bash", "WebFetch"].includes(pattern.tool))

/**
 * Whether a rule without an argument that denies or asks speaks of this tool: the tool that hands work on may be registered
 * under another host's name for it, and a star may stand in what another host calls it.
 */
export const isNamed = (pattern: string, tool: string): boolean =>
  matches(pattern, tool) ||
  (handsWorkOn(tool) && matches(pattern, "Agent")) ||
  (pattern.includes("*") && otherNamesOf(tool).some((name) => matches(pattern, name)))

function handsWorkOn(tool: string): boolean {
  const known = handing.get(tool)
  if (known !== undefined) return known
  const meant = lookUpTool(tool)
  const isAgent = meant.type === "equivalent" && meant.name === "Agent"
  if (handing.size > 10_000) handing.clear()
  handing.set(tool, isAgent)
  return isAgent
}

const handing = new Map<string, boolean>()

/** `a, b`: those agents, by whichever of their names. */
const coversAgent = (pattern: string, names: readonly string[]): boolean =>
  pattern.split(",").some((one) => names.some((name) => matches(one.trim(), name)))

/** `git:*` and `git *` are the command and whatever follows it; `git` is that command without anything. */
function coversCommand(pattern: string, text: string): boolean {
  const prefix = commandPrefix(pattern)
  if (prefix !== undefined && !prefix.includes("*")) return text === prefix || text.startsWith(`${prefix} `)
  return matches(pattern.replace(/:\*$/, "*"), text)
}

/** What a pattern that goes on with anything begins with; undefined where it does not end so. */
export const commandPrefix = (pattern: string): string | undefined => /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1]

/** `example.com` is that host alone, `*.example.com` those below it. */
function coversHost(pattern: string, host: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, "")
  return matches(plain(pattern.replace(/^domain:/, "")), plain(host))
}

/** `**` stands for any folders, `*` for any characters of one name. Case and Unicode form do not matter. */
function coversPath(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern)
  return opened(wanted, path).has(wanted.length)
}

/** Which beginnings of a pattern match all names of a path. */
function opened(wanted: readonly string[], path: string): ReadonlySet<number> {
  let open = afterAny(wanted, new Set([0]))
  for (const name of segmentsOf(path)) {
    open = openedBy(wanted, open, name)
    if (open.size === 0) break
  }
  return open
}

function openedBy(wanted: readonly string[], open: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>()
  for (const at of open) {
    const segment = wanted[at]
    if (segment === "**") next.add(at)
    else if (segment !== undefined && matches(segment, name)) next.add(at + 1)
  }
  return afterAny(wanted, next)
}

/**
 * What a pattern says of a path that is gone along name by name. `all`: it is about the path and everything below it.
 * `it`: about the path. `below`: perhaps about something there.
 */
export class Track {
  readonly extent: "all" | "it" | "below" | "none"
  readonly #wanted: readonly string[]
  readonly #open: ReadonlySet<number>
  #other: Track | undefined

  private constructor(wanted: readonly string[], open: ReadonlySet<number>) {
    this.#wanted = wanted
    this.#open = open
    const whole = wanted.at(-1) === "**" ? "all" : "it"
    this.extent = open.size === 0 ? "none" : open.has(wanted.length) ? whole : "below"
  }

  static of(pattern: string, path: string): Track {
    const wanted = segmentsOf(pattern)
    return new Track(wanted, opened(wanted, path))
  }

  /** Most names are none that is looked for: those have one answer. */
  into(name: string): Track {
    const plain = plainName(name)
    const isMeant = [...this.#open].some((at) => {
      const segment = this.#wanted[at]
      return segment !== undefined && segment !== "**" && matches(segment, plain)
    })
    if (isMeant) return new Track(this.#wanted, openedBy(this.#wanted, this.#open, plain))
    this.#other ??= new Track(this.#wanted, openedBy(this.#wanted, this.#open, ""))
    return this.#other
  }
}

/** `**` may also stand for no folder at all. */
function afterAny(wanted: readonly string[], open: Set<number>): Set<number> {
  for (const at of open) if (wanted[at] === "**") open.add(at + 1)
  return open
}

const segmentsOf = (path: string): readonly string[] =>
  plainName(path)
    .split("/")
    .filter((segment) => segment !== "")

const plainName = (name: string): string => name.normalize("NFC").toLowerCase()

/** The pattern with its path made absolute: `~/x`, `./x` and `a/b` begin somewhere, `x` is that name anywhere. */
export function anchorPattern(text: string, from: { readonly cwd: string; readonly home: string }): string {
  const pattern = readRulePattern(text)
  return isAboutPaths(pattern) ? `${pattern.tool}(${anchored(pattern.argument!, from)})` : text
}

function anchored(pattern: string, { cwd, home }: { readonly cwd: string; readonly home: string }): string {
  if (pattern.startsWith("/")) return pattern.replace(/^\/+/, "/")
  if (pattern === "~" || pattern.startsWith("~/")) return home + pattern.slice(1)
  if (pattern.startsWith("./")) return `${cwd}/${pattern.slice(2)}`
  return pattern.replace(/\/$/, "").includes("/") && !pattern.startsWith("**/")
    ? `${cwd}/${pattern}`
    : `/**/${pattern}`
}
