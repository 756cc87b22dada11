import type { Agent } from "../../../agent/agent.ts"
import { splitToolName } from "../../../agent/catalogue/look-up.ts"
import type { RuleSet } from "../../../run/log/event-rights.ts"
import { type Reached, reachReader } from "../../../run/rights/reach.ts"
import { takerOf } from "../../../run/rights/taken.ts"
import { hasCallersTools } from "../../../run/rights/tool-list.ts"
import type { Place } from "../../formats/problem.ts"
import { entryPlace } from "../entry-place.ts"
import { quoted } from "../near-names.ts"
import { at, type DiagnosticRule, type Subject, type Surroundings } from "../rule.ts"
import { startersOf } from "../starters.ts"
import { everyTool, isHere, listedTools } from "../tools/listed-tools.ts"

export const delegationDenied: DiagnosticRule = {
  code: "delegation-denied",
  severity: "warning",
  title: "A denial that takes away what a subagent lists",
  why: "What an agent is denied is denied to everybody below it. A subagent that lists such a tool works without it there, and one that has nothing left is refused.",
  fix: "If only this agent is to go without the tool, take the denial away and leave the tool out of `tools`: a list says what the agent uses itself, and binds nobody below it.",
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
      const listed = toolsWanted(surroundings.agents.get(name)!, surroundings)
      const lost = listed.flatMap(({ tool }) => {
        const denial = denials.find(({ set }) => takerOf([set], tool, noTools))
        return denial ? [{ tool, denial }] : []
      })
      if (name === agent.name || lost.length === 0) continue
      const tools = quoted([...new Set(lost.map(({ tool }) => tool))], "and")
      const says =
        lost.length === listed.length
          ? `Not started below this agent, because nothing is left of their tools without ${tools}`
          : `Without ${tools}`
      const group = groups.get(says) ?? { names: [], place: lost[0]!.denial.place(subject) }
      groups.set(says, { ...group, names: [...group.names, name] })
    }
    for (const [says, { names, place }] of groups)
      subject.report({
        message: `What this agent denies is denied to its subagents, too. ${says}: ${quoted(names, "and")}. If only this agent is to go without, take the denial away and leave the tool out of \`tools\`.`,
        at: place,
      })
  },
}

/** Subagents that lose the same. */
interface Group {
  readonly names: readonly string[]
  readonly place: Place
}

/** What an agent lists of the tools that are here; of one that means every tool, all of them. */
function toolsWanted(agent: Agent, surroundings: Surroundings): readonly { readonly tool: string }[] {
  if (agent.tools.mode === "list") return listedTools(agent.tools.allow).filter(isHere(surroundings))
  return hasCallersTools(agent) ? [] : everyTool
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

const reachIn = ({ agents, written }: Surroundings): ((agent: Agent) => readonly Reached[]) => {
  const known = readers.get(agents)
  if (known) return known
  const startedBy = startersOf(written?.() ?? { hooks: {}, hookFiles: [] })
  // Each once, though it may have several names.
  const made = reachReader({ agents: [...new Set(agents.values())], startedBy, tools: new Map() })
  readers.set(agents, made)
  return made
}

const readers = new WeakMap<Surroundings["agents"], (agent: Agent) => readonly Reached[]>()
