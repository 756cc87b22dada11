import { listHostNames, lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { Access } from "../../agent/tool.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"

/**
 * The subject of a rule. Without an argument: every call of the tools that it names. With one: a kind of
 * access, by any call.
 */
export interface RulePattern {
  readonly tool: string
  readonly argument?: string
}

const patternCache = new Map<string, RulePattern>()

export function readRulePattern(text: string): RulePattern {
  const cached = patternCache.get(text)
  if (cached) return cached
  const { name, argument } = splitToolName(text)
  const pattern = argument === undefined || argument === "*" ? { tool: name } : { tool: name, argument }
  // Definitions are few, but made-up patterns without end must not fill the memory.
  if (patternCache.size > 10_000) patternCache.clear()
  patternCache.set(text, pattern)
  return pattern
}

/** True if a rule's argument covers this access, independent of the tool that makes it. */
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
      return tool === executorToolName && matchesStars(argument, access.name)
    case "unclear":
      return tool === "Bash" && argument === access.command && !argument.includes("*")
    case "dangerous":
      return false
  }
}

/** `all`: the argument covers everything below a path. `some`: it may cover something there. */
export function coversBelow({ tool, argument = "" }: RulePattern, access: Access): "all" | "some" | "none" {
  if (access.type !== "read" && access.type !== "write") return "none"
  if (!pathTools[access.type].includes(tool)) return "none"
  const segments = segmentsOf(argument)
  const open = matchedLengths(segments, access.path)
  if (open.size === 0) return "none"
  if (segments.at(-1) === "**" && open.has(segments.length)) return "all"
  return [...open].some((at) => at < segments.length) ? "some" : "none"
}

/**
 * The tool that runs commands. Commands of checks and hooks are judged as calls of this tool, even if no
 * model is offered it.
 */
export const commandTool = "Bash"

/** The tools with a path as their argument, by their effect on it. */
export const pathTools: Readonly<Record<"read" | "write", readonly string[]>> = {
  read: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
  write: ["Edit", "Write", "ApplyPatch"],
}

export const isAboutPaths = ({ tool, argument }: RulePattern): boolean =>
  argument !== undefined && ofPaths.has(tool)

const ofPaths: ReadonlySet<string> = new Set(Object.values(pathTools).flat())

/** True if a rule is about single accesses that a command may make. */
export const isAboutCommands = (pattern: RulePattern): boolean =>
  isAboutPaths(pattern) || (pattern.argument !== undefined && ["Bash", "WebFetch"].includes(pattern.tool))

/**
 * True if a rule without an argument that denies or asks is about this tool. The tool that hands work on may
 * be registered under another host's name, and a star may match another host's name for a tool.
 */
export const coversTool = (pattern: string, tool: string): boolean =>
  matchesStars(pattern, tool) ||
  (handsWorkOn(tool) && matchesStars(pattern, "Agent")) ||
  (pattern.includes("*") && listHostNames(tool).some((name) => matchesStars(pattern, name)))

function handsWorkOn(tool: string): boolean {
  const cached = handsOnCache.get(tool)
  if (cached !== undefined) return cached
  const lookup = lookUpTool(tool)
  const isAgent = lookup.type === "equivalent" && lookup.name === "Agent"
  if (handsOnCache.size > 10_000) handsOnCache.clear()
  handsOnCache.set(tool, isAgent)
  return isAgent
}

const handsOnCache = new Map<string, boolean>()

/** `a, b`: these agents, by any of their names. */
const coversAgent = (pattern: string, names: readonly string[]): boolean =>
  pattern.split(",").some((one) => names.some((name) => matchesStars(one.trim(), name)))

/** `git:*` and `git *` cover the command with any arguments; `git` covers it without arguments. */
function coversCommand(pattern: string, text: string): boolean {
  const prefix = findCommandPrefix(pattern)
  if (prefix !== undefined && !prefix.includes("*")) return text === prefix || text.startsWith(`${prefix} `)
  return matchesStars(pattern.replace(/:\*$/, "*"), text)
}

/** The beginning of a pattern that ends with any arguments; undefined for other patterns. */
export const findCommandPrefix = (pattern: string): string | undefined =>
  /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1]

/** `example.com` covers that host alone, `*.example.com` the hosts below it. */
function coversHost(pattern: string, host: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\.$/, "")
  return matchesStars(plain(pattern.replace(/^domain:/, "")), plain(host))
}

/** `**` matches any folders, `*` any characters of one name. Case and Unicode form do not matter. */
function coversPath(pattern: string, path: string): boolean {
  const segments = segmentsOf(pattern)
  return matchedLengths(segments, path).has(segments.length)
}

/** The lengths of those beginnings of a pattern that match the whole path. */
function matchedLengths(segments: readonly string[], path: string): ReadonlySet<number> {
  let open = afterAny(segments, new Set([0]))
  for (const name of segmentsOf(path)) {
    open = advance(segments, open, name)
    if (open.size === 0) break
  }
  return open
}

function advance(segments: readonly string[], open: ReadonlySet<number>, name: string): Set<number> {
  const next = new Set<number>()
  for (const at of open) {
    const segment = segments[at]
    if (segment === "**") next.add(at)
    else if (segment !== undefined && matchesStars(segment, name)) next.add(at + 1)
  }
  return afterAny(segments, next)
}

/**
 * A pattern followed along a path, name by name. `all`: the pattern covers the path and everything below.
 * `it`: it covers the path. `below`: it may cover something below.
 */
export class PathTrack {
  readonly extent: "all" | "it" | "below" | "none"
  readonly #segments: readonly string[]
  readonly #open: ReadonlySet<number>
  #other: PathTrack | undefined

  private constructor(segments: readonly string[], open: ReadonlySet<number>) {
    this.#segments = segments
    this.#open = open
    const whole = segments.at(-1) === "**" ? "all" : "it"
    this.extent = open.size === 0 ? "none" : open.has(segments.length) ? whole : "below"
  }

  static of(pattern: string, path: string): PathTrack {
    const segments = segmentsOf(pattern)
    return new PathTrack(segments, matchedLengths(segments, path))
  }

  /** Names that the pattern does not mention all have the same result, which is computed once. */
  into(name: string): PathTrack {
    const plain = plainName(name)
    const isMentioned = [...this.#open].some((at) => {
      const segment = this.#segments[at]
      return segment !== undefined && segment !== "**" && matchesStars(segment, plain)
    })
    if (isMentioned) return new PathTrack(this.#segments, advance(this.#segments, this.#open, plain))
    this.#other ??= new PathTrack(this.#segments, advance(this.#segments, this.#open, ""))
    return this.#other
  }
}

/** Adds the positions after `**`, which may also match no folder at all. */
function afterAny(segments: readonly string[], open: Set<number>): Set<number> {
  for (const at of open) if (segments[at] === "**") open.add(at + 1)
  return open
}

const segmentsOf = (path: string): readonly string[] =>
  plainName(path)
    .split("/")
    .filter((segment) => segment !== "")

const plainName = (name: string): string => name.normalize("NFC").toLowerCase()

/**
 * Makes the path of a pattern absolute. `~/x`, `./x` and `a/b` start at a folder; `x` is that name anywhere.
 */
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
