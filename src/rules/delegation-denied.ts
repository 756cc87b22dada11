import type { Agent } from "../agent.ts"
import { splitToolName } from "../catalogue/look-up.ts"
import type { Place } from "../formats/problem.ts"
import { spawnsIn } from "../lifecycle/written-spawns.ts"
import { agentsOf } from "../pipeline.ts"
import { shapeProblems } from "../pipelines/shape.ts"
import type { RuleSet } from "../run/event.ts"
import { type Reached, reachReader } from "../run/reach.ts"
import { takerOf } from "../run/taken.ts"
import { entryPlace } from "./entry-place.ts"
import { listedTools } from "./listed-tools.ts"
import { quoted } from "./near-names.ts"
import { at, type DiagnosticRule, type Subject, type Surroundings } from "./rule.ts"

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
    const denials = denialsOf(agent)
    if (denials.length === 0) return
    for (const { name } of reachIn(surroundings)(agent)) {
      const { mode, allow } = surroundings.agents.get(name)!.tools
      const listed = mode === "list" ? listedTools(allow) : []
      const lost = listed.flatMap((one) => {
        const denial = denials.find(({ set }) => takerOf([set], one.tool, noTools))
        return denial ? [{ ...one, denial }] : []
      })
      if (name === agent.name || lost.length === 0) continue
      const all = listed.length === lost.length
      subject.report({
        message: `Agent ${quoted([name], "and")}, which this agent may have work, lists ${quoted(
          [...new Set(lost.map(({ entry }) => entry))],
          "and",
        )}, and what this agent is denied is denied below it, too. ${all ? "Nothing is left of that list, so the subagent would be refused." : "The subagent works without that."} Take the denial away, or leave the tool out of this agent's own list instead.`,
        at: lost[0]!.denial.place(subject),
      })
    }
  },
}

/** A denial of an agent that binds those below it, and where it stands. */
interface Denial {
  readonly set: RuleSet
  place(subject: Subject): Place
}

function denialsOf({ tools: { deny }, rules, permissionMode }: Agent): readonly Denial[] {
  const setOf = (tool: string): RuleSet => ({
    of: "",
    rules: [{ tool, decision: "deny" }],
    otherwise: "allow",
  })
  const isWhole = (tool: string) => splitToolName(tool).argument === undefined
  return [
    ...rules.flatMap(({ tool, decision }, index) =>
      decision === "deny" && isWhole(tool)
        ? [{ set: setOf(tool), place: (subject: Subject) => at(subject, "rules", index) }]
        : [],
    ),
    ...deny.flatMap((tool, index) =>
      isWhole(tool)
        ? [{ set: setOf(tool), place: (subject: Subject) => entryPlace(subject, "tools.deny", deny, index) }]
        : [],
    ),
    ...(permissionMode === "plan"
      ? changingTools.map((tool) => ({
          set: setOf(tool),
          place: (subject: Subject) => at(subject, "permissionMode"),
        }))
      : []),
  ]
}

/** The built-in tools that plan mode takes. Of others nobody knows here what they change. */
export const changingTools = ["Edit", "Write", "ApplyPatch", "Bash"]

/** A workspace knows no tools but ours, whose names rules have already. */
const noTools: ReadonlyMap<string, unknown> = new Map()

const reachIn = ({ agents }: Surroundings): ((agent: Agent) => readonly Reached[]) => {
  // Each once, though it may have several names.
  const known =
    readers.get(agents) ?? reachReader({ agents: [...new Set(agents.values())], startedBy, tools: new Map() })
  readers.set(agents, known)
  return known
}

const readers = new WeakMap<Surroundings["agents"], (agent: Agent) => readonly Reached[]>()

const startedBy = ({ hooks, workflow, pipeline }: Agent): readonly string[] => [
  ...spawnsIn(hooks),
  ...spawnsIn(workflow),
  ...(pipeline && shapeProblems(pipeline.steps).length === 0 ? agentsOf(pipeline.steps) : []),
]
