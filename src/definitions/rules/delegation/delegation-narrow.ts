import type { Agent } from "../../../agent/agent.ts"
import { quoteNames } from "../near-names.ts"
import { type CheckedAgent, type DiagnosticRule, locatePart, type RuleFacts } from "../rule.ts"
import { existsHere, listRequestedTools } from "../tools/listed-tools.ts"
import { listDelegates } from "./delegates.ts"

export const delegationNarrow: DiagnosticRule = {
  code: "delegation-narrow",
  severity: "warning",
  title: "A caller that takes tools from its subagents",
  why: "With `delegation: narrow`, a subagent has only those of its tools that its caller has or names in `delegates`. With `context: fork`, it has only those that its caller has. A subagent with no tools left is not started.",
  fix: "Add the tools to the caller's `tools`. With `delegation: narrow`, add them to `delegates` instead if the caller should not use them itself.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(tester)\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".cadre/agents/tester.md",
        text: "---\nname: tester\ndescription: Runs the tests.\ntools: Read, Bash\ncontext: fork\n---\n\nRun the tests.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const { agent } = subject
    if (agent.tools.mode !== "list") return
    const isNarrow = surroundings.delegation === "narrow"
    const grants = [...agent.tools.allow, ...(isNarrow ? (agent.delegates ?? []) : [])]
    const callerTools = new Set(listRequestedTools(grants).map(({ tool }) => tool))
    const callees = calleesOf(subject, surroundings).filter(
      ({ context }) => isNarrow || context?.fork === true,
    )
    const losses = callees.flatMap(({ name, tools: { mode, allow } }) => {
      const listed = mode === "list" ? listRequestedTools(allow).filter(existsHere(surroundings)) : []
      const lost = listed.filter(({ tool }) => !callerTools.has(tool)).map(({ tool }) => tool)
      return lost.length === 0 ? [] : [{ name, lost, isRefused: lost.length === listed.length }]
    })
    const sentences = [
      {
        says: "These subagents cannot start, because this agent lacks",
        some: losses.filter(({ isRefused }) => isRefused),
      },
      { says: "These subagents run without", some: losses.filter(({ isRefused }) => !isRefused) },
    ].flatMap(({ says, some }) => {
      const tools = [...new Set(some.flatMap(({ lost }) => lost))].toSorted()
      return some.length === 0
        ? []
        : [
            `${says} ${quoteNames(tools, "and")}: ${quoteNames(
              some.map(({ name }) => name),
              "and",
            )}.`,
          ]
    })
    if (sentences.length === 0) return
    subject.report({
      message: `${isNarrow ? narrow : fork} ${sentences.join(" ")}`,
      at: locatePart(subject, "tools.allow"),
    })
  },
}

const narrow =
  "With `delegation: narrow`, a subagent has only those of its tools that its caller has or names in `delegates`."
const fork = "A subagent with `context: fork` has only those of its tools that its caller also has."

/** The agents that this agent names in `Agent(…)`. If it names none but has `Agent`, all agents. */
function calleesOf(subject: CheckedAgent, surroundings: RuleFacts): readonly Agent[] {
  const namedAgents = listDelegates(subject, surroundings)?.map(({ name }) => surroundings.agents.get(name))
  const mayCall = listRequestedTools(subject.agent.tools.allow).some(({ tool }) => tool === "Agent")
  const all = namedAgents ?? (mayCall ? [...surroundings.agents.values()] : [])
  return [...new Set(all)].flatMap((one) => (one && one.name !== subject.agent.name ? [one] : []))
}
