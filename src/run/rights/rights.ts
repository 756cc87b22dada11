import type { RuleDecision } from "../../agent/agent.ts"
import { type FolderMove, mapFromWorktree, mapToWorktree } from "../../agent/isolation.ts"
import type { Access, ForbiddenPath, Loose } from "../../agent/tool.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import {
  commandTool,
  covers,
  coversBelow,
  coversTool,
  isAboutCommands,
  isAboutPaths,
  pathTools,
  type RulePattern,
  readRulePattern,
} from "./pattern.ts"

const strictness = { allow: 0, ask: 1, deny: 2 } as const

/** A call with everything that it would do. */
export interface JudgedCall {
  readonly tool: string
  readonly accesses?: readonly Access[]
}

export interface Judgement {
  readonly decision: RuleDecision
  /** The owner of the rules that decided. */
  readonly of: string
  /** The access that they decided about, if not the call as a whole. */
  readonly about?: Access
}

/**
 * The strictest decision of the run's own rules and of every ancestor's, about everything that the call would
 * do. A rule about a path also covers the same path in a worktree that the run was moved to.
 */
export function judge(
  rights: readonly RuleSet[],
  call: JudgedCall,
  moved?: readonly FolderMove[],
): Judgement {
  let result: Judgement = allowed
  const take = (decision: RuleDecision | undefined, of: string | undefined, about: Access | undefined) => {
    if (decision !== undefined && of !== undefined && strictness[decision] > strictness[result.decision])
      result = { decision, of, ...(about && { about }) }
  }
  const accesses = call.accesses?.length ? call.accesses : unknownAccess
  for (const set of rights) {
    if (!appliesTo(set, call)) continue
    for (const access of accesses) take(findMatch(set, call, access, moved)?.decision, set.of, access)
  }
  for (const access of accesses) if (access?.type === "dangerous") take("ask", access.reason, access)
  for (const access of accesses)
    if (access && "loose" in access && access.loose)
      take("ask", ownerOfBroken(rights, call, access, access.loose), access)
  return result
}

/**
 * True if a file may be put into the prompt of a run. Files that a rule asks about are excluded, because no
 * person is asked there. A file without a matching rule is allowed, because the definition names it.
 */
export function mayBeSent(rights: readonly RuleSet[], file: string, moved?: readonly FolderMove[]): boolean {
  const explicit = rights.map((set): RuleSet => (set.tools ? set : { ...set, otherwise: "allow" }))
  const access: Access = { type: "read", path: mapToWorktree(file, moved) }
  return judge(explicit, { tool: "Read", accesses: [access] }, moved).decision === "allow"
}

/** False for a set that only limits the uses of other tools. */
export const appliesTo = ({ tools }: RuleSet, { tool }: Pick<JudgedCall, "tool">): boolean =>
  !tools || tools.some((name) => coversTool(name, tool))

/** The paths that rules deny to every call. */
export const findForbiddenPaths = (rights: readonly RuleSet[]): readonly ForbiddenPath[] =>
  rights.flatMap(({ rules }) =>
    rules.flatMap(({ tool, decision }): readonly ForbiddenPath[] => {
      const pattern = readRulePattern(tool)
      if (decision !== "deny" || !isAboutPaths(pattern)) return []
      return [{ use: pathTools.read.includes(pattern.tool) ? "read" : "write", pattern: pattern.argument! }]
    }),
  )

const allowed: Judgement = { decision: "allow", of: "default" }
const unknownAccess: readonly undefined[] = [undefined]

/** The decision of one set of rules. `rule`: the stored rule that decides; absent for the set's default. */
export interface RuleMatch {
  readonly decision: RuleDecision
  readonly rule?: string
}

/**
 * Within one set, deny beats ask and ask beats allow, in any order. Without a match, the set's own default
 * decides. Undefined: the set leaves the access to the other sets.
 */
export function findMatch(
  set: RuleSet,
  call: JudgedCall,
  access: Access | undefined,
  moved: readonly FolderMove[] | undefined,
): RuleMatch | undefined {
  let strictest: RuleDecision | undefined
  let rule: string | undefined
  let hasArgument = false
  for (const { tool, decision } of set.rules) {
    const pattern = readRulePattern(tool)
    const verdict =
      pattern.argument !== undefined
        ? access && aboutMoved(decision, pattern, access, call, moved)
        : (decision === "allow" ? matchesStars : coversTool)(pattern.tool, call.tool)
          ? decision
          : undefined
    if (verdict === undefined) continue
    hasArgument ||= pattern.argument !== undefined
    if (strictest === undefined || strictness[verdict] > strictness[strictest]) {
      strictest = verdict
      rule = tool
    }
  }
  if (!hasArgument && access && isPartOfCommand(access, call)) return undefined
  if (strictest !== undefined) return { decision: strictest, rule: rule! }
  return isDoneByListed(set, call, access) ? undefined : { decision: set.otherwise }
}

/**
 * An entry such as `Bash(touch:*)` in a list allows all accesses of such commands. A redirect belongs to no
 * command.
 */
function isDoneByListed(
  { tools, rules }: RuleSet,
  { accesses = [] }: JudgedCall,
  access: Access | undefined,
): boolean {
  if (!tools?.includes(commandTool) || !access || !("by" in access) || access.by === undefined) return false
  const doer = accesses.find((other) => other.type === "command" && other.part === access.by)
  return (
    doer !== undefined &&
    rules.some(({ tool, decision }) => decision === "allow" && covers(readRulePattern(tool), doer))
  )
}

/**
 * The owner of rules about single accesses that an unclear command may break. In the sandbox, rules that deny
 * a path hold anyway; rules that ask about one cannot. A rule that allows the command by name overrides this,
 * in the same set or in one above. Rules of one configuration do not override those of another.
 */
function ownerOfBroken(
  rights: readonly RuleSet[],
  call: JudgedCall,
  access: Access,
  loose: Loose,
): string | undefined {
  const allowsByName = ({ rules }: RuleSet) =>
    rules.some(({ tool, decision }) => decision === "allow" && covers(readRulePattern(tool), access))
  const bounds = ({ rules }: RuleSet) =>
    rules.some(({ tool, decision }) =>
      loose === "free"
        ? decision !== "allow" && isAboutCommands(readRulePattern(tool))
        : decision === "ask" && isAboutPaths(readRulePattern(tool)),
    )
  return rights.find(
    (set, index) =>
      appliesTo(set, call) &&
      bounds(set) &&
      !allowsByName(set) &&
      !rights.slice(index + 1).some((above) => above.of !== set.of && allowsByName(above)),
  )?.of
}

/** Judges a path under all its names. */
function aboutMoved(
  decision: RuleDecision,
  pattern: RulePattern,
  access: Access,
  call: JudgedCall,
  moved: readonly FolderMove[] | undefined,
): RuleDecision | undefined {
  if (!moved || !("path" in access)) return aboutAccess(decision, pattern, access, call)
  return [access.path, ...mapFromWorktree(access.path, moved)]
    .map((path) => aboutAccess(decision, pattern, { ...access, path }, call))
    .reduce((one, other) =>
      one === undefined || (other && strictness[other] > strictness[one]) ? other : one,
    )
}

/**
 * The decision of a rule about one access. Unlike the file tools, a command that goes through a whole folder
 * does not skip forbidden files. So it is allowed only where all of the folder is, and a person is asked
 * where something forbidden may be in it.
 */
function aboutAccess(
  decision: RuleDecision,
  pattern: RulePattern,
  access: Access,
  call: JudgedCall,
): RuleDecision | undefined {
  const isCovered = covers(pattern, access)
  if (!("below" in access) || !isCommand(call)) return isCovered ? decision : undefined
  const below = coversBelow(pattern, access)
  if (decision === "allow") return isCovered && below === "all" ? decision : undefined
  if (isCovered) return decision
  return below === "none" ? undefined : "ask"
}

/**
 * True for an access that is decided together with its command, unless a rule names it. These are reads,
 * hosts, and files that the command is meant to change. Other writes are judged separately.
 */
const isPartOfCommand = (access: Access, call: JudgedCall): boolean =>
  (access.type === "read" || access.type === "host" || "implied" in access) && isCommand(call)

const isCommand = ({ accesses = [] }: JudgedCall): boolean => accesses.some(({ type }) => type === "command")
