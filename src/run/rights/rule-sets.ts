import os from "node:os"
import type { Agent, PermissionRule } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { writeMcpName } from "../../agent/catalogue/mcp-tool.ts"
import type { Tool } from "../../agent/tool.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { DelegationRule, GrantedTools } from "../ports/granted-tools.ts"
import { withoutOwnSets } from "./binding-sets.ts"
import { anchorPattern, commandTool, isAboutPaths, pathTools, readRulePattern } from "./pattern.ts"
import { buildReachSet } from "./reach-limit.ts"
import { findByOriginalName, hasArgument, hasCallersTools } from "./tool-list.ts"

/**
 * All rules that bind a run: its own first, then every ancestor's. For a root these are the configuration's.
 * A root with the task of a failed root is also bound by the rules of that root.
 */
export function collectRights(
  agent: Agent,
  { tools, rights, reach }: Pick<Environment, "tools" | "rights" | "reach">,
  cwd: string,
  { parent, follows, continuedRun }: Pick<Beginning, "parent" | "follows" | "continuedRun">,
  grant: GrantedTools,
): readonly RuleSet[] {
  const { delegation } = grant
  const inherit = delegation === "own" ? withoutOwnSets : bindingAll
  const closed = withoutCommands(tools, grant, parent?.start?.agent)
  if (!parent) {
    const before = [...withoutItsList(follows), ...withoutItsList(continuedRun)]
    const now = [anchorRules(rights, tools, cwd), ...closed]
    return onceEach([
      ...buildRuleSets(agent, tools, cwd, delegation),
      ...buildReachSet(agent, reach),
      ...before,
      ...now,
    ])
  }
  const above = parent.rights
  // A thousand children of one agent share one list.
  const ofParent = shared.get(above) ?? new Map<Agent, readonly RuleSet[]>()
  const isUsual = cwd === parent.start!.cwd && !continuedRun
  const cached = isUsual ? ofParent.get(agent) : undefined
  if (cached) return cached
  const sets = onceEach([
    ...buildRuleSets(agent, tools, cwd, delegation),
    ...buildReachSet(agent, reach, above),
    ...(delegation === "own" && hasCallersTools(agent) ? above.filter(isInheritedBy(agent)) : []),
    ...inherit(above),
    ...withoutItsList(continuedRun),
    ...closed,
  ])
  if (isUsual) shared.set(above, ofParent.set(agent, sets))
  return sets
}

/**
 * True for a caller's entries with parentheses. A pipeline's agents are written in its steps, so entries for
 * them do not count.
 */
const isInheritedBy =
  ({ pipeline }: Agent) =>
  ({ own, tools }: RuleSet): boolean =>
    own === true && !(pipeline && tools?.includes("Agent"))

/** The rules of an earlier run without those of its own list of tools: the current agent has its own list. */
const withoutItsList = (
  before: { readonly start?: RunStart | undefined; readonly rights: readonly RuleSet[] } | undefined,
): readonly RuleSet[] =>
  (before?.rights ?? []).filter(
    ({ of, tools, agent }) => !(tools && agent === undefined && listsOf(before!.start!.agent).includes(of)),
  )

const listsOf = (agent: string): readonly string[] => [listOf(agent), delegatesOf(agent)]
const listOf = (agent: string): string => `the tools of agent "${agent}"`
const delegatesOf = (agent: string): string => `what agent "${agent}" may hand on`

/** Where a caller's list binds the runs below, so do its entries with parentheses. */
const bindingAll = (sets: readonly RuleSet[]): readonly RuleSet[] =>
  sets.map((set) => {
    const { own, ...rest } = set
    return own ? rest : set
  })

/**
 * Denies commands to the hooks and checks of a tree that may not run any. They have no list of tools, so a
 * rule has to deny it.
 */
function withoutCommands(
  tools: ReadonlyMap<string, Tool>,
  { delegation, ceiling }: GrantedTools,
  caller: string | undefined,
): readonly RuleSet[] {
  if (!tools.has(commandTool) || ceiling.includes(commandTool)) return []
  const of =
    caller === undefined || delegation === "own"
      ? "the call that started the tree"
      : `the tools that agent "${caller}" may give`
  return [{ of, rules: [{ tool: commandTool, decision: "deny" }], otherwise: "allow" }]
}

function onceEach(sets: readonly RuleSet[]): readonly RuleSet[] {
  const texts = sets.map((set) => JSON.stringify(set))
  return sets.filter((_, index) => texts.indexOf(texts[index]!) === index)
}

export const hasRuleSet = (sets: readonly RuleSet[], set: RuleSet): boolean =>
  sets.some((other) => JSON.stringify(other) === JSON.stringify(set))

const shared = new WeakMap<readonly RuleSet[], Map<Agent, readonly RuleSet[]>>()

/**
 * The rule sets of an agent's own definition. Its rules and denials also bind all runs below. Entries with
 * parentheses in its list bind only its own calls where the runs below have lists of their own.
 */
export function buildRuleSets(
  { name, rules, tools, delegates = [], permissionMode }: Agent,
  registered: ReadonlyMap<string, Tool>,
  cwd: string,
  delegation: DelegationRule,
): readonly RuleSet[] {
  const canonical = (text: string) => toCanonicalNames(text, registered)
  const anchor = (rule: PermissionRule) => anchorRule(rule, registered, cwd)
  const denied = tools.deny.map((tool): PermissionRule => ({ tool, decision: "deny" }))
  const own = [...rules, ...denied].flatMap(anchor)
  const others = delegation === "own" ? [] : delegates
  return [
    { of: `agent "${name}"`, ...(own.length > 0 && { agent: name }), rules: own, otherwise: "allow" },
    ...(permissionMode === "plan" ? [planSet(name, registered)] : []),
    ...only(tools.allow.flatMap(canonical))
      .map(([tool, patterns]) => [tool, [...patterns, ...redirects(tool, tools, canonical)]] as const)
      .map(onlySet(listOf(name), anchor, delegation)),
    ...only(others.flatMap(canonical))
      .filter(([tool]) => !tools.allow.flatMap(canonical).some((own) => splitToolName(own).name === tool))
      .map(onlySet(delegatesOf(name), anchor, delegation)),
  ]
}

/** The files that a listed command may write its output to: those that the list lets the agent write. */
function redirects(
  tool: string,
  { allow, deny }: Agent["tools"],
  canonical: (text: string) => readonly string[],
): readonly string[] {
  if (tool !== commandTool) return []
  const denied = deny.flatMap(canonical)
  return allow.flatMap(canonical).flatMap((text) => {
    const { name, argument } = splitToolName(text)
    if (!pathTools.write.includes(name) || denied.some((pattern) => matchesStars(pattern, name))) return []
    return argument === undefined ? [`${name}(./**)`] : [text]
  })
}

const onlySet =
  (of: string, anchor: (rule: PermissionRule) => readonly PermissionRule[], delegation: DelegationRule) =>
  ([tool, patterns]: readonly [string, readonly string[]]): RuleSet => ({
    of,
    ...(delegation === "own" && { own: true }),
    tools: [tool],
    rules: patterns.flatMap((pattern) => anchor({ tool: pattern, decision: "allow" })),
    otherwise: "deny",
  })

/**
 * A definition may only set a mode that narrows: all others would answer for the person who is to be asked.
 */
const planSet = (name: string, registered: ReadonlyMap<string, Tool>): RuleSet => ({
  of: `the plan mode of agent "${name}"`,
  agent: name,
  rules: [...registered.values()]
    .filter(({ effect }) => effect === "read")
    .map(({ name: tool }) => ({ tool, decision: "allow" })),
  otherwise: "deny",
})

/** The rules of a configuration as they apply to a run in `cwd`. */
export const anchorRules = (set: RuleSet, registered: ReadonlyMap<string, Tool>, cwd: string): RuleSet => ({
  ...set,
  rules: set.rules.flatMap((rule) => anchorRule(rule, registered, cwd)),
})

/**
 * Calls are judged by paths without links, so rules start at such paths, too. Rules that deny or ask also
 * cover the target of a link in their path. Rules that allow do not: otherwise, making a link would choose
 * what is allowed.
 */
export function anchorRule(
  { tool, decision }: PermissionRule,
  registered: ReadonlyMap<string, Tool>,
  cwd: string,
): readonly PermissionRule[] {
  const [first, ...also] = toCanonicalNames(tool, registered)
  // Links are resolved only for rules with a path: most have none, and there may be very many rules.
  const real = (text: string) =>
    isAboutPaths(readRulePattern(text))
      ? anchorPattern(text, { cwd: withoutLinksAbove(cwd), home: withoutLinksAbove(os.homedir()) })
      : text
  const patterns =
    decision === "allow"
      ? [real(first), ...findByOriginalName(first, registered)]
      : [
          ...[first, ...also].flatMap((text) => [real(text), followedPattern(real(text))]),
          ...findByOriginalName(first, registered),
        ]
  return [...new Set(patterns)].map((text) => ({ tool: text, decision }))
}

/** The pattern with all links resolved that come before its first star. */
function followedPattern(text: string): string {
  const { tool, argument } = readRulePattern(text)
  if (!argument?.startsWith("/")) return text
  const names = argument.split("/")
  const star = names.findIndex((name) => name.includes("*"))
  const plain = star < 0 ? names.length : star
  const resolved = withoutLinksAbove(names.slice(0, plain).join("/") || "/")
  return `${tool}(${[resolved === "/" ? "" : resolved, ...names.slice(plain)].join("/")})`
}

/**
 * `Agent(a, b)` and `Bash(git:*)` grant only these uses of a tool, unless another entry grants the whole
 * tool.
 */
function only(allow: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const byTool = new Map<string, string[]>()
  for (const text of allow) {
    const { name, argument } = splitToolName(text)
    if (argument === undefined) continue
    const patterns = name === "Agent" ? argument.split(",").map((agent) => `Agent(${agent.trim()})`) : [text]
    byTool.set(name, [...(byTool.get(name) ?? []), ...patterns])
  }
  const whole = allow.filter((text) => !hasArgument(text))
  return [...byTool].filter(([tool]) => !whole.some((pattern) => matchesStars(pattern, tool)))
}

const isDelegation = (tool: unknown): boolean =>
  (tool as { readonly kind?: unknown } | undefined)?.kind === "delegation"

/**
 * Our names for the tools that a name means. Another host's name can mean several of our tools, if no
 * registered tool has that name.
 */
export function toCanonicalNames(
  text: string,
  registered: ReadonlyMap<string, unknown>,
): readonly [string, ...(readonly string[])] {
  const { name, argument } = splitToolName(text)
  // Rules about agents have one form, under any name of the tool that calls them.
  if (argument !== undefined && isDelegation(registered.get(name))) return [`Agent(${argument})`]
  const tool = registered.has(name) ? undefined : lookUpTool(name)
  const written = (ours: string) => (argument === undefined ? ours : `${ours}(${argument})`)
  if (tool?.type === "mcp") return [written(writeMcpName(tool))]
  return tool?.type === "equivalent"
    ? [written(tool.name), ...(tool.also ?? []).map(written)]
    : [written(name)]
}

/** The owner name of the configuration's rules. */
export const configurationOwner = "the configuration"
