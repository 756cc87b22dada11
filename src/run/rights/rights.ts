import type { Decision } from "../../agent/agent.ts"
import { type Moved, movedFrom, movedTo } from "../../agent/isolation.ts"
import type { Access, Forbidden, Loose } from "../../agent/tool.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import {
  commandTool,
  covers,
  coversBelow,
  isAboutCommands,
  isAboutPaths,
  isNamed,
  pathTools,
  type RulePattern,
  readRulePattern,
} from "./pattern.ts"

const strictness = { allow: 0, ask: 1, deny: 2 } as const

/** What is judged: a call, and everything that it would do. */
export interface JudgedCall {
  readonly tool: string
  readonly accesses?: readonly Access[]
}

export interface Judgement {
  readonly decision: Decision
  /** Whose rules decided. */
  readonly of: string
  /** What of the call they decided about, where it is not the call as a whole. */
  readonly about?: Access
}

/**
 * The strictest decision of the run's own rules and of every ancestor's, about everything the call would do. A rule about a
 * path also speaks of the same path in a tree that the run was moved to.
 */
export function judge(rights: readonly RuleSet[], call: JudgedCall, moved?: readonly Moved[]): Judgement {
  let result: Judgement = allowed
  const take = (decision: Decision | undefined, of: string | undefined, about: Access | undefined) => {
    if (decision !== undefined && of !== undefined && strictness[decision] > strictness[result.decision])
      result = { decision, of, ...(about && { about }) }
  }
  const accesses = call.accesses?.length ? call.accesses : unknownAccess
  for (const set of rights) {
    if (set.tools && !set.tools.some((name) => isNamed(name, call.tool))) continue
    for (const access of accesses) take(within(set, call, access, moved), set.of, access)
  }
  for (const access of accesses) if (access?.type === "dangerous") take("ask", access.reason, access)
  for (const access of accesses)
    if (access && "loose" in access && access.loose)
      take("ask", boundBy(rights, call, access, access.loose), access)
  return result
}

/**
 * Whether a file may be put into the prompt of a run: nobody is asked there, so whatever a rule asks about is not. Where no
 * rule speaks of it the definition does, which names it.
 */
export function mayBeSent(rights: readonly RuleSet[], file: string, moved?: readonly Moved[]): boolean {
  const spoken = rights.map((set): RuleSet => (set.tools ? set : { ...set, otherwise: "allow" }))
  const access: Access = { type: "read", path: movedTo(file, moved) }
  return judge(spoken, { tool: "Read", accesses: [access] }, moved).decision === "allow"
}

/** The paths that rules deny, whatever the call. */
export const forbiddenIn = (rights: readonly RuleSet[]): readonly Forbidden[] =>
  rights.flatMap(({ rules }) =>
    rules.flatMap(({ tool, decision }): readonly Forbidden[] => {
      const pattern = readRulePattern(tool)
      if (decision !== "deny" || !isAboutPaths(pattern)) return []
      return [{ use: pathTools.read.includes(pattern.tool) ? "read" : "write", pattern: pattern.argument! }]
    }),
  )

const allowed: Judgement = { decision: "allow", of: "default" }
const unknownAccess: readonly undefined[] = [undefined]

/** Within one set deny beats ask beats allow, whatever the order; no match means the set's own default. */
function within(
  set: RuleSet,
  call: JudgedCall,
  access: Access | undefined,
  moved: readonly Moved[] | undefined,
): Decision | undefined {
  let found: Decision | undefined
  let named = false
  for (const { tool, decision } of set.rules) {
    const pattern = readRulePattern(tool)
    const said =
      pattern.argument !== undefined
        ? access && aboutMoved(decision, pattern, access, call, moved)
        : (decision === "allow" ? matches : isNamed)(pattern.tool, call.tool)
          ? decision
          : undefined
    if (said === undefined) continue
    named ||= pattern.argument !== undefined
    if (found === undefined || strictness[said] > strictness[found]) found = said
  }
  if (!named && access && isPartOfCommand(access, call)) return undefined
  return found ?? (isDoneByListed(set, call, access) ? undefined : set.otherwise)
}

/** An entry such as `Bash(touch:*)` in a list is for such commands, whatever they do. A redirect is done by no command. */
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
 * Whose rules about single things may be broken by what nobody knows. In the sandbox those that deny a path hold; one that
 * asks about it cannot. A rule that allows the command by its name knows better: of the same set, or of one above it. Those
 * of one configuration do not speak for another.
 */
function boundBy(
  rights: readonly RuleSet[],
  call: JudgedCall,
  access: Access,
  loose: Loose,
): string | undefined {
  const names = ({ rules }: RuleSet) =>
    rules.some(({ tool, decision }) => {
      const pattern = readRulePattern(tool)
      return decision === "allow" && pattern.argument !== undefined && covers(pattern, access)
    })
  const bounds = ({ rules }: RuleSet) =>
    rules.some(({ tool, decision }) =>
      loose === "free"
        ? decision !== "allow" && isAboutCommands(readRulePattern(tool))
        : decision === "ask" && isAboutPaths(readRulePattern(tool)),
    )
  return rights.find(
    (set, index) =>
      (!set.tools || set.tools.some((name) => isNamed(name, call.tool))) &&
      bounds(set) &&
      !names(set) &&
      !rights.slice(index + 1).some((above) => above.of !== set.of && names(above)),
  )?.of
}

/** By whichever of its names a path is meant. */
function aboutMoved(
  decision: Decision,
  pattern: RulePattern,
  access: Access,
  call: JudgedCall,
  moved: readonly Moved[] | undefined,
): Decision | undefined {
  if (!moved || !("path" in access)) return aboutAccess(decision, pattern, access, call)
  return [access.path, ...movedFrom(access.path, moved)]
    .map((path) => aboutAccess(decision, pattern, { ...access, path }, call))
    .reduce((one, other) =>
      one === undefined || (other && strictness[other] > strictness[one]) ? other : one,
    )
}

/**
 * What a rule about a thing says of an access. A command that goes through a whole folder leaves nothing out on its own, as
 * the file tools do: it is allowed where all of it is, and asked about where something forbidden may lie there.
 */
function aboutAccess(
  decision: Decision,
  pattern: RulePattern,
  access: Access,
  call: JudgedCall,
): Decision | undefined {
  const isMeant = covers(pattern, access)
  if (!("below" in access) || !isCommand(call)) return isMeant ? decision : undefined
  const below = coversBelow(pattern, access)
  if (decision === "allow") return isMeant && below === "all" ? decision : undefined
  if (isMeant) return decision
  return below === "none" ? undefined : "ask"
}

/**
 * What a command reads and reaches, and what it is there to change, is decided with the command, unless a rule names it.
 * What it writes besides is not.
 */
const isPartOfCommand = (access: Access, call: JudgedCall): boolean =>
  (access.type === "read" || access.type === "host" || "implied" in access) && isCommand(call)

const isCommand = ({ accesses = [] }: JudgedCall): boolean => accesses.some(({ type }) => type === "command")
