import type { Agent } from "../agent.ts"
import { lookUpTool, splitToolName } from "../catalogue/look-up.ts"
import { spawnsIn } from "../lifecycle/written-spawns.ts"
import { agentsOf } from "../pipeline.ts"
import { shapeProblems } from "../pipelines/shape.ts"
import { reachOf } from "../run/reach.ts"
import { ruleSetsOf } from "../run/rule-sets.ts"
import { takerOf } from "../run/taken.ts"
import { quoted } from "./near-names.ts"
import { at, type DiagnosticRule, type Surroundings } from "./rule.ts"

export const delegationDenied: DiagnosticRule = {
  code: "delegation-denied",
  severity: "warning",
  title: "A denial that takes away what a subagent lists",
  why: "What an agent is denied is denied to everybody below it. A subagent that lists such a tool works without it there, and one that has nothing left is refused.",
  fix: "Take the denial away, or leave the tool out of this agent's own list instead: a list says what the agent uses itself, and binds nobody below it.",
  example: {
    file: ".claude/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(tester)\ndisallowedTools: Bash\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".claude/agents/tester.md",
        text: "---\nname: tester\ndescription: Runs the tests.\ntools: Read, Bash\n---\n\nRun the tests.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const { agent } = subject
    const denials = ruleSetsOf(agent, new Map(), "/", "own").filter(
      ({ own, rules }) => !own && rules.length > 0,
    )
    if (denials.every(({ rules, otherwise }) => otherwise !== "deny" && !rules.some(deniesWhole))) return
    const agents = activeAgents(surroundings)
    for (const { name } of reachOf(agent, { agents, startedBy, tools: new Map() })) {
      const lost = listedBy(surroundings.agents.get(name)!).filter(({ tool }) =>
        takerOf(denials, tool, noTools),
      )
      if (name === agent.name || lost.length === 0) continue
      const all = listedBy(surroundings.agents.get(name)!).length === lost.length
      subject.report({
        message: `Agent ${quoted([name], "and")}, which this agent may have work, lists ${quoted(
          lost.map(({ entry }) => entry),
          "and",
        )}, and what this agent is denied is denied below it, too. ${all ? "Nothing is left of that list, so the subagent would be refused." : "The subagent works without that."} Take the denial away, or leave the tool out of this agent's own list instead.`,
        at: at(
          subject,
          agent.permissionMode === "plan"
            ? "permissionMode"
            : agent.tools.deny.length > 0
              ? "tools.deny"
              : "rules",
        ),
      })
    }
  },
}

const deniesWhole = ({ tool, decision }: { readonly tool: string; readonly decision: string }): boolean =>
  decision === "deny" && splitToolName(tool).argument === undefined

/** Each once, though it may have several names. */
const activeAgents = ({ agents }: Surroundings): readonly Agent[] => {
  const known = active.get(agents) ?? [...new Set(agents.values())]
  active.set(agents, known)
  return known
}

const active = new WeakMap<Surroundings["agents"], readonly Agent[]>()

const startedBy = ({ hooks, workflow, pipeline }: Agent): readonly string[] => [
  ...spawnsIn(hooks),
  ...spawnsIn(workflow),
  ...(pipeline && shapeProblems(pipeline.steps).length === 0 ? agentsOf(pipeline.steps) : []),
]

function listedBy({ tools: { mode, allow } }: Agent): readonly { entry: string; tool: string }[] {
  if (mode !== "list") return []
  return allow.flatMap((entry) => {
    const meant = lookUpTool(entry)
    const { name } = splitToolName(entry)
    return [{ entry, tool: meant.type === "equivalent" || meant.type === "tool" ? meant.name : name }]
  })
}

/** A workspace knows no tools but ours, whose names rules have already. */
const noTools: ReadonlyMap<string, unknown> = new Map()
