import type { Agent, PermissionRule } from "../../agent/agent.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { isAboutPaths, readRulePattern } from "./pattern.ts"
import { anchorRule, toCanonicalNames } from "./rule-sets.ts"

/**
 * A rule as its author wrote it. Runs store rules under our own tool names: `run_shell_command` is stored as
 * `Bash`.
 */
export interface WrittenRule {
  readonly text: string
  /** For a rule of an agent's definition: the list that has it, and its index there. */
  readonly entry?: { readonly agent: Agent; readonly part: "rules" | "tools.deny"; readonly index: number }
}

/**
 * Finds the entry that a stored rule was read from. Undefined if the definition no longer has it. `cwd`: rules
 * about paths are stored with the paths that they meant in this folder. `kind`: a rule that allows is another
 * one than a rule that restricts.
 */
export function findWrittenRule(
  { agents, rights, tools }: Pick<StartEnvironment, "agents" | "rights" | "tools">,
  name: string | undefined,
  stored: string,
  { cwd, kind = "restricting" }: { readonly cwd?: string; readonly kind?: "allowing" | "restricting" } = {},
): WrittenRule | undefined {
  const isIt = (text: string) =>
    text === stored ||
    toCanonicalNames(text, tools).includes(stored) ||
    (cwd !== undefined && isAboutPaths(readRulePattern(stored)) && storedForms(text).includes(stored))
  const storedForms = (text: string) =>
    anchorRule({ tool: text, decision: kind === "allowing" ? "allow" : "deny" }, tools, cwd!).map(
      ({ tool }) => tool,
    )
  const isRule = ({ tool, decision }: PermissionRule) =>
    (kind === "allowing") === (decision === "allow") && isIt(tool)
  if (name === undefined) {
    const rule = rights.rules.find(isRule)
    return rule && { text: rule.tool }
  }
  const agent = agents.find(name)
  if (!agent) return undefined
  const index = agent.rules.findIndex(isRule)
  if (index >= 0) return { text: agent.rules[index]!.tool, entry: { agent, part: "rules", index } }
  const denied = kind === "allowing" ? -1 : agent.tools.deny.findIndex(isIt)
  if (denied < 0) return undefined
  return { text: agent.tools.deny[denied]!, entry: { agent, part: "tools.deny", index: denied } }
}
