import type { Agent } from "../../../agent/agent.ts"
import { splitToolName } from "../../../agent/catalogue/look-up.ts"
import type { RuleSet } from "../../../run/log/event-rights.ts"
import { findDenial } from "../../../run/rights/find-denial.ts"
import { createReachReader, type ReachableAgent } from "../../../run/rights/reach.ts"
import { hasCallersTools } from "../../../run/rights/tool-list.ts"
import type { ProblemPlace } from "../../formats/problem.ts"
import { locateEntry } from "../entry-place.ts"
import { quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart, type RuleFacts, type Subject } from "../rule.ts"
import { findStartedAgents } from "../starters.ts"
import { allPlainTools, existsHere, listRequestedTools } from "../tools/listed-tools.ts"

export const delegationDenied: DiagnosticRule = {
  code: "delegation-denied",
  severity: "warning",
  title: "A denial that takes tools from a subagent",
  why: "A tool that an agent is denied is denied to all agents below it. A subagent that lists such a tool runs without it, and one with no tools left is refused.",
  fix: "If only this agent should go without the tool, remove the denial and leave the tool out of `tools`. That list says what the agent itself uses, and does not bind its subagents.",
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
    const groups = new Map<string, Group>()
    for (const { name } of reachIn(surroundings)(agent)) {
      const wantedTools = toolsWanted(surroundings.agents.get(name)!, surroundings)
      const losses = wantedTools.flatMap(({ tool }) => {
        const denial = denials.find(({ set }) => findDenial([set], tool, noTools))
        return denial ? [{ tool, denial }] : []
      })
      if (name === agent.name || losses.length === 0) continue
      const tools = quoteNames([...new Set(losses.map(({ tool }) => tool))], "and")
      const says =
        losses.length === wantedTools.length
          ? `These subagents cannot start, because they have no tools left without ${tools}`
          : `These subagents run without ${tools}`
      const group = groups.get(says) ?? { names: [], place: losses[0]!.denial.place(subject) }
      groups.set(says, { ...group, names: [...group.names, name] })
    }
    for (const [says, { names, place }] of groups)
      subject.report({
        message: `A tool that this agent denies is denied to its subagents too. ${says}: ${quoteNames(names, "and")}. If only this agent should go without it, remove the denial and leave the tool out of \`tools\`.`,
        at: place,
      })
  },
}

/** Subagents that lose the same tools. */
interface Group {
  readonly names: readonly string[]
  readonly place: ProblemPlace
}

/** The tools that an agent lists and that exist here. For an agent that means every tool, all of them. */
function toolsWanted(agent: Agent, surroundings: RuleFacts): readonly { readonly tool: string }[] {
  if (agent.tools.mode === "list")
    return listRequestedTools(agent.tools.allow).filter(existsHere(surroundings))
  return hasCallersTools(agent) ? [] : allPlainTools
}

/** A denial that also binds the agents below, with its place in the file. */
interface Denial {
  readonly set: RuleSet
  place(subject: Subject): ProblemPlace
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
        ? [{ set: setOf(tool), place: (subject: Subject) => locatePart(subject, "rules", index) }]
        : [],
    ),
    ...deny.flatMap((tool, index) =>
      isWhole(tool)
        ? [{ set: setOf(tool), place: (subject: Subject) => locateEntry(subject, "tools.deny", deny, index) }]
        : [],
    ),
    ...(permissionMode === "plan"
      ? changingTools.map((tool) => ({
          set: setOf(tool),
          place: (subject: Subject) => locatePart(subject, "permissionMode"),
        }))
      : []),
  ]
}

/** The built-in tools that plan mode denies. Whether other tools change something is unknown here. */
export const changingTools = ["Edit", "Write", "ApplyPatch", "Bash"]

/** A workspace has no tools except ours, and rules already use our names. */
const noTools: ReadonlyMap<string, unknown> = new Map()

const reachIn = ({ agents, written }: RuleFacts): ((agent: Agent) => readonly ReachableAgent[]) => {
  const reader = readers.get(agents)
  if (reader) return reader
  const startedBy = findStartedAgents(written?.() ?? { hooks: {}, hookFiles: [] })
  // An agent with several names is in the map several times.
  const made = createReachReader({ agents: [...new Set(agents.values())], startedBy, tools: new Map() })
  readers.set(agents, made)
  return made
}

const readers = new WeakMap<RuleFacts["agents"], (agent: Agent) => readonly ReachableAgent[]>()
