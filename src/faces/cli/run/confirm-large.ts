import type { Agent } from "../../../agent/agent.ts"
import { createReachSearch } from "../../../definitions/authority/reach.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { RunLimits } from "../../../ground/limits.ts"
import type { Store } from "../../../run/log/store.ts"
import type { ProcessContext } from "../command.ts"
import { askPerson } from "../terminal/ask-person.ts"
import type { Driving } from "./options.ts"
import { formatMoney } from "./words.ts"

interface LargeRun {
  readonly agent: Agent
  readonly limits: RunLimits
  readonly workspace: Workspace
  readonly store: Store
}

/**
 * Asks a person on a terminal before a run whose cost limit or reach is large, with what earlier runs of the agent cost. In a
 * script, and where every question is answered in advance, nothing is asked.
 */
export async function askBeforeLargeRun(
  { agent, limits, workspace, store }: LargeRun,
  { asks, print }: Pick<Driving, "asks" | "print">,
  { screen, stdin, stderr }: Pick<ProcessContext, "screen" | "stdin" | "stderr">,
): Promise<"start" | "leave"> {
  if (asks !== "person" || print !== "text" || !screen || !stdin?.isTerminal) return "start"
  const { confirm, limits: usual } = workspace.configuration
  const cost = limits.maxCost ?? agent.limits.maxCost ?? usual.maxCost
  const reach = confirm.agents === 0 ? [] : createReachSearch(workspace, workspace.registry.all())(agent)
  const isCostly = confirm.cost > 0 && cost !== undefined && cost > confirm.cost
  const isWide = confirm.agents > 0 && reach.length > confirm.agents
  if (!isCostly && !isWide) return "start"
  const parts = [
    ...(isCostly ? [`may cost up to ${formatMoney(cost)}`] : []),
    ...(isWide ? [`can start ${reach.length} agents`] : []),
  ]
  const text = `${agent.name} ${parts.join(" and ")}. ${await earlierText(store, agent.name)}Start? [y/N] `
  const answer = await askPerson(stdin, escapeText(text), (line) => void stderr.write(line))
  if (answer === "no") stderr.write("Nothing was started.\n")
  return answer === "yes" ? "start" : "leave"
}

/** The number of earlier runs that an estimate is made from. */
const mostRuns = 10

async function earlierText(store: Store, agent: string): Promise<string> {
  const costs: number[] = []
  for await (const { usage } of store.list({ agent, status: "ended", limit: mostRuns }))
    if (usage.inclusive.cost !== undefined) costs.push(usage.inclusive.cost)
  const [least, most] = [Math.min(...costs), Math.max(...costs)]
  if (costs.length === 0) return "The cost of earlier runs is not known. "
  const range = least === most ? formatMoney(least) : `${formatMoney(least)} to ${formatMoney(most)}`
  return `Its last ${costs.length === 1 ? "run" : `${costs.length} runs`} cost ${range}. `
}
