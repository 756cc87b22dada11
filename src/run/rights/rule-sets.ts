import os from "node:os"
import type { Agent, Rule } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { mcpName } from "../../agent/catalogue/mcp-tool.ts"
import type { Tool } from "../../agent/tool.ts"
import { withoutLinksAbove } from "../../ground/paths/without-links.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { DelegationRule, Grant } from "../ports/granted.ts"
import { binding } from "./binding-sets.ts"
import { anchorPattern, commandTool, isAboutPaths, pathTools, readRulePattern } from "./pattern.ts"
import { reachSet } from "./reach-limit.ts"
import { hasArgument, hasCallersTools, namedOriginally } from "./tool-list.ts"

/**
 * Everything that binds a run: its own rules first, then every ancestor's; of a root, the configuration's, and those that
 * the root before it was bound by where it has that one's task.
 */
export function rightsOf(
  agent: Agent,
  { tools, rights, reach }: Pick<Environment, "tools" | "rights" | "reach">,
  cwd: string,
  { parent, follows, ended }: Pick<Beginning, "parent" | "follows" | "ended">,
  grant: Grant,
): readonly RuleSet[] {
  const { delegation } = grant
  const left = delegation === "own" ? binding : bindingAll
  const closed = withoutCommands(tools, grant, parent?.start?.agent)
  if (!parent) {
    const before = [...withoutItsList(follows), ...withoutItsList(ended)]
    const now = [anchorRules(rights, tools, cwd), ...closed]
    return onceEach([
      ...ruleSetsOf(agent, tools, cwd, delegation),
      ...reachSet(agent, reach),
      ...before,
      ...now,
    ])
  }
  const above = parent.rights
  // A thousand children of one agent have one and the same.
  const ofParent = shared.get(above) ?? new Map<Agent, readonly RuleSet[]>()
  const isUsual = cwd === parent.start!.cwd && !ended
  const known = isUsual ? ofParent.get(agent) : undefined
  if (known) return known
  const found = onceEach([
    ...ruleSetsOf(agent, tools, cwd, delegation),
    ...reachSet(agent, reach, above),
    ...(delegation === "own" && hasCallersTools(agent) ? above.filter(isHeirs(agent)) : []),
    ...left(above),
    ...withoutItsList(ended),
    ...closed,
  ])
  if (isUsual) shared.set(above, ofParent.set(agent, found))
  return found
}

/** What a caller's list says in parentheses. Whom a pipeline has work is written in its steps. */
const isHeirs =
  ({ pipeline }: Agent) =>
  ({ own, tools }: RuleSet): boolean =>
    own === true && !(pipeline && tools?.includes("Agent"))

/** What bound a run besides its own list: that is for the agent of now to say. */
const withoutItsList = (
  before: { readonly start?: RunStart | undefined; readonly rights: readonly RuleSet[] } | undefined,
): readonly RuleSet[] =>
  (before?.rights ?? []).filter(
    ({ of, tools, agent }) => !(tools && agent === undefined && listsOf(before!.start!.agent).includes(of)),
  )

const listsOf = (agent: string): readonly string[] => [listOf(agent), handedOf(agent)]
const listOf = (agent: string): string => `the tools of agent "${agent}"`
const handedOf = (agent: string): string => `what agent "${agent}" may hand on`

/** Where a caller's list binds those below it, so does what stands in its parentheses. */
const bindingAll = (sets: readonly RuleSet[]): readonly RuleSet[] =>
  sets.map((set) => {
    const { own, ...rest } = set
    return own ? rest : set
  })

/** What a tree may not use, its hooks and checks may not either: they need no list, so a rule says it. */
function withoutCommands(
  tools: ReadonlyMap<string, Tool>,
  { delegation, ceiling }: Grant,
  caller: string | undefined,
): readonly RuleSet[] {
  if (!tools.has(commandTool) || ceiling.includes(commandTool)) return []
  const of =
    caller === undefined || delegation === "own"
      ? "the call that started the tree"
      : `what agent "${caller}" has to give`
  return [{ of, rules: [{ tool: commandTool, decision: "deny" }], otherwise: "allow" }]
}

function onceEach(sets: readonly RuleSet[]): readonly RuleSet[] {
  const texts = sets.map((set) => JSON.stringify(set))
  return sets.filter((_, index) => texts.indexOf(texts[index]!) === index)
}

export const isAmong = (sets: readonly RuleSet[], set: RuleSet): boolean =>
  sets.some((other) => JSON.stringify(other) === JSON.stringify(set))

const shared = new WeakMap<readonly RuleSet[], Map<Agent, readonly RuleSet[]>>()

/**
 * What an agent's own file allows it: its rules and what it is denied, which bind all below it, too, and what its list of
 * tools says in parentheses, which is about its own calls alone where those below have lists of their own.
 */
export function ruleSetsOf(
  { name, rules, tools, delegates = [], permissionMode }: Agent,
  known: ReadonlyMap<string, Tool>,
  cwd: string,
  delegation: DelegationRule,
): readonly RuleSet[] {
  const canonical = (text: string) => canonicalNames(text, known)
  const anchor = (rule: Rule) => anchorRule(rule, known, cwd)
  const denied = tools.deny.map((tool): Rule => ({ tool, decision: "deny" }))
  const own = [...rules, ...denied].flatMap(anchor)
  const others = delegation === "own" ? [] : delegates
  return [
    { of: `agent "${name}"`, ...(own.length > 0 && { agent: name }), rules: own, otherwise: "allow" },
    ...(permissionMode === "plan" ? [planSet(name, known)] : []),
    ...only(tools.allow.flatMap(canonical))
      .map(([tool, patterns]) => [tool, [...patterns, ...redirects(tool, tools, canonical)]] as const)
      .map(onlySet(listOf(name), anchor, delegation)),
    ...only(others.flatMap(canonical))
      .filter(([tool]) => !tools.allow.flatMap(canonical).some((own) => splitToolName(own).name === tool))
      .map(onlySet(handedOf(name), anchor, delegation)),
  ]
}

/** Where the output of a listed command may go: into files that the list lets the agent write. */
function redirects(
  tool: string,
  { allow, deny }: Agent["tools"],
  canonical: (text: string) => readonly string[],
): readonly string[] {
  if (tool !== commandTool) return []
  const denied = deny.flatMap(canonical)
  return allow.flatMap(canonical).flatMap((text) => {
    const { name, argument } = splitToolName(text)
    if (!pathTools.write.includes(name) || denied.some((pattern) => matches(pattern, name))) return []
    return argument === undefined ? [`${name}(./**)`] : [text]
  })
}

const onlySet =
  (of: string, anchor: (rule: Rule) => readonly Rule[], delegation: DelegationRule) =>
  ([tool, patterns]: readonly [string, readonly string[]]): RuleSet => ({
    of,
    ...(delegation === "own" && { own: true }),
    tools: [tool],
    rules: patterns.flatMap((pattern) => anchor({ tool: pattern, decision: "allow" })),
    otherwise: "deny",
  })

/** Only a mode that narrows is a definition's to set: all others would answer for the person who is to be asked. */
const planSet = (name: string, known: ReadonlyMap<string, Tool>): RuleSet => ({
  of: `the plan mode of agent "${name}"`,
  agent: name,
  rules: [...known.values()]
    .filter(({ effect }) => effect === "read")
    .map(({ name: tool }) => ({ tool, decision: "allow" })),
  otherwise: "deny",
})

/** The rules of a configuration as they hold for a run that works in `cwd`. */
export const anchorRules = (set: RuleSet, known: ReadonlyMap<string, Tool>, cwd: string): RuleSet => ({
  ...set,
  rules: set.rules.flatMap((rule) => anchorRule(rule, known, cwd)),
})

/**
 * Calls are judged by paths without links, so a rule begins at such a one, too. What forbids or asks is also about what a
 * link in its own path leads to; what allows is not, for whoever can make links would choose what that is.
 */
function anchorRule(
  { tool, decision }: Rule,
  known: ReadonlyMap<string, Tool>,
  cwd: string,
): readonly Rule[] {
  const [first, ...also] = canonicalNames(tool, known)
  // Links are looked for where there is a path: most rules have none, and there may be very many of them.
  const real = (text: string) =>
    isAboutPaths(readRulePattern(text))
      ? anchorPattern(text, { cwd: withoutLinksAbove(cwd), home: withoutLinksAbove(os.homedir()) })
      : text
  const patterns =
    decision === "allow"
      ? [real(first), ...namedOriginally(first, known)]
      : [
          ...[first, ...also].flatMap((text) => [real(text), followedPattern(real(text))]),
          ...namedOriginally(first, known),
        ]
  return [...new Set(patterns)].map((text) => ({ tool: text, decision }))
}

/** The pattern with the links followed that its path names before the first star. */
function followedPattern(text: string): string {
  const { tool, argument } = readRulePattern(text)
  if (!argument?.startsWith("/")) return text
  const names = argument.split("/")
  const star = names.findIndex((name) => name.includes("*"))
  const plain = star < 0 ? names.length : star
  const followed = withoutLinksAbove(names.slice(0, plain).join("/") || "/")
  return `${tool}(${[followed === "/" ? "" : followed, ...names.slice(plain)].join("/")})`
}

/** `Agent(a, b)` and `Bash(git:*)` grant a tool for that and nothing else, unless the tool is granted as a whole, too. */
function only(allow: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const byTool = new Map<string, string[]>()
  for (const text of allow) {
    const { name, argument } = splitToolName(text)
    if (argument === undefined) continue
    const patterns = name === "Agent" ? argument.split(",").map((agent) => `Agent(${agent.trim()})`) : [text]
    byTool.set(name, [...(byTool.get(name) ?? []), ...patterns])
  }
  const whole = allow.filter((text) => !hasArgument(text))
  return [...byTool].filter(([tool]) => !whole.some((pattern) => matches(pattern, tool)))
}

const isDelegation = (tool: unknown): boolean =>
  (tool as { readonly kind?: unknown } | undefined)?.kind === "delegation"

/** Another host's name for one of our tools stands for ours, where no tool is called so; some stand for several. */
export function canonicalNames(
  text: string,
  known: ReadonlyMap<string, unknown>,
): readonly [string, ...(readonly string[])] {
  const { name, argument } = splitToolName(text)
  // Whom a tool may call is said in one way, whatever it is called here.
  if (argument !== undefined && isDelegation(known.get(name))) return [`Agent(${argument})`]
  const tool = known.has(name) ? undefined : lookUpTool(name)
  const written = (ours: string) => (argument === undefined ? ours : `${ours}(${argument})`)
  if (tool?.type === "mcp") return [written(mcpName(tool))]
  return tool?.type === "equivalent"
    ? [written(tool.name), ...(tool.also ?? []).map(written)]
    : [written(name)]
}

/** How the rules of the configuration are called. */
export const configured = "the configuration"
