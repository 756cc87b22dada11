import os from "node:os"
import type { Agent, Rule } from "../agent.ts"
import { lookUpTool, splitToolName } from "../catalogue/look-up.ts"
import type { Tool } from "../tool.ts"
import type { RuleSet } from "./event.ts"
import { anchorPattern } from "./pattern.ts"

/** What an agent's own file allows it: its rules, and what its lists of tools say in parentheses. */
export function ruleSetsOf(
  { name, rules, tools, permissionMode }: Agent,
  known: ReadonlyMap<string, Tool>,
  cwd: string,
): readonly RuleSet[] {
  const from = { cwd, home: os.homedir() }
  const canonical = (text: string) => canonicalName(text, known)
  const anchor = ({ tool, decision }: Rule): Rule => ({
    tool: anchorPattern(canonical(tool), from),
    decision,
  })
  const denied = tools.deny.filter(hasArgument).map((tool): Rule => ({ tool, decision: "deny" }))
  return [
    { of: `agent "${name}"`, rules: [...rules, ...denied].map(anchor), otherwise: "allow" },
    ...(permissionMode === "plan" ? [planSet(name, known)] : []),
    ...only(tools.allow.map(canonical)).map(([tool, patterns]) => ({
      of: `the tools of agent "${name}"`,
      tools: [tool],
      rules: patterns.map((pattern) => anchor({ tool: pattern, decision: "allow" })),
      otherwise: "deny" as const,
    })),
  ]
}

/** Only a mode that narrows is a definition's to set: all others would answer for the person who is to be asked. */
const planSet = (name: string, known: ReadonlyMap<string, Tool>): RuleSet => ({
  of: `the plan mode of agent "${name}"`,
  rules: [...known.values()]
    .filter(({ effect }) => effect === "read")
    .map(({ name: tool }) => ({ tool, decision: "allow" })),
  otherwise: "deny",
})

/** The rules of a configuration as they hold for a run that works in `cwd`. */
export const anchorRules = (set: RuleSet, cwd: string): RuleSet => ({
  ...set,
  rules: set.rules.map(({ tool, decision }) => ({
    tool: anchorPattern(tool, { cwd, home: os.homedir() }),
    decision,
  })),
})

export const hasArgument = (text: string): boolean => splitToolName(text).argument !== undefined

/** `Agent(a, b)` and `Bash(git:*)` grant a tool for that and nothing else, unless the tool is granted as a whole, too. */
function only(allow: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const byTool = new Map<string, string[]>()
  for (const text of allow) {
    const { name, argument } = splitToolName(text)
    if (argument === undefined) continue
    const patterns = name === "Agent" ? argument.split(",").map((agent) => `Agent(${agent.trim()})`) : [text]
    byTool.set(name, [...(byTool.get(name) ?? []), ...patterns])
  }
  return [...byTool].filter(([tool]) => !allow.includes(tool))
}

/** Another host's name for one of our tools stands for ours, where no tool is called so. */
function canonicalName(text: string, known: ReadonlyMap<string, unknown>): string {
  const { name, argument } = splitToolName(text)
  const tool = known.has(name) ? undefined : lookUpTool(name)
  const ours = tool?.type === "equivalent" ? tool.name : name
  return argument === undefined ? ours : `${ours}(${argument})`
}
