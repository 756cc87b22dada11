import type { Agent, Rule } from "../../agent/agent.ts"
import type { Surroundings } from "../ports/environment.ts"
import { canonicalNames } from "./rule-sets.ts"

/** A rule as its author wrote it. Runs hold rules under our own tool names: `run_shell_command` is held as `Bash`. */
export interface WrittenRule {
  readonly text: string
  /** Of an agent's definition: the list in which it stands, and its index there. */
  readonly entry?: { readonly agent: Agent; readonly part: "rules" | "tools.deny"; readonly index: number }
}

/** Finds the entry from which a held rule was read. Undefined where the definition no longer has it. */
export function writtenRule(
  { agents, rights, tools }: Pick<Surroundings, "agents" | "rights" | "tools">,
  name: string | undefined,
  held: string,
): WrittenRule | undefined {
  const isIt = (text: string) => text === held || canonicalNames(text, tools).includes(held)
  const isRule = ({ tool, decision }: Rule) => decision !== "allow" && isIt(tool)
  if (name === undefined) {
    const rule = rights.rules.find(isRule)
    return rule && { text: rule.tool }
  }
  const agent = agents.find(name)
  if (!agent) return undefined
  const index = agent.rules.findIndex(isRule)
  if (index >= 0) return { text: agent.rules[index]!.tool, entry: { agent, part: "rules", index } }
  const denied = agent.tools.deny.findIndex(isIt)
  if (denied < 0) return undefined
  return { text: agent.tools.deny[denied]!, entry: { agent, part: "tools.deny", index: denied } }
}
