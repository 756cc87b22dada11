import type { Agent } from "../../../agent/agent.ts"
import { quoted } from "../near-names.ts"
import { at, type CheckedAgent, type DiagnosticRule, type Surroundings } from "../rule.ts"
import { isHere, listedTools } from "../tools/listed-tools.ts"
import { delegatesOf } from "./delegates.ts"

export const delegationNarrow: DiagnosticRule = {
  code: "delegation-narrow",
  severity: "warning",
  title: "A caller that leaves a subagent without its tools",
  why: "With `delegation: narrow` a subagent has only those of its tools that its caller has or names in `delegates`; one with `context: fork` has only those that its caller has. A subagent that has none of them left is not started.",
  fix: "Add the tools to the caller's `tools`. With `delegation: narrow` they may stand in its `delegates` instead, where it is not to use them itself.",
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
    const given = [...agent.tools.allow, ...(isNarrow ? (agent.delegates ?? []) : [])]
    const had = new Set(listedTools(given).map(({ tool }) => tool))
    const callees = calleesOf(subject, surroundings).filter(
      ({ context }) => isNarrow || context?.fork === true,
    )
    const cut = callees.flatMap(({ name, tools: { mode, allow } }) => {
      const listed = mode === "list" ? listedTools(allow).filter(isHere(surroundings)) : []
      const lost = listed.filter(({ tool }) => !had.has(tool)).map(({ tool }) => tool)
      return lost.length === 0 ? [] : [{ name, lost, isRefused: lost.length === listed.length }]
    })
    const sentences = [
      {
        says: "Not started below this agent, because it lacks",
        some: cut.filter(({ isRefused }) => isRefused),
      },
      { says: "Without", some: cut.filter(({ isRefused }) => !isRefused) },
    ].flatMap(({ says, some }) => {
      const tools = [...new Set(some.flatMap(({ lost }) => lost))].toSorted()
      return some.length === 0
        ? []
        : [
            `${says} ${quoted(tools, "and")}: ${quoted(
              some.map(({ name }) => name),
              "and",
            )}.`,
          ]
    })
    if (sentences.length === 0) return
    subject.report({
      message: `${isNarrow ? narrow : fork} ${sentences.join(" ")}`,
      at: at(subject, "tools.allow"),
    })
  },
}

const narrow =
  "With `delegation: narrow` a subagent has only those of its tools that its caller has or names in `delegates`."
const fork = "A subagent with `context: fork` has only those of its tools that its caller has, too."

/** Those whom it names, or else everybody where it may call anybody. */
function calleesOf(subject: CheckedAgent, surroundings: Surroundings): readonly Agent[] {
  const named = delegatesOf(subject, surroundings)?.map(({ name }) => surroundings.agents.get(name))
  const mayCall = listedTools(subject.agent.tools.allow).some(({ tool }) => tool === "Agent")
  const all = named ?? (mayCall ? [...surroundings.agents.values()] : [])
  return [...new Set(all)].flatMap((one) => (one && one.name !== subject.agent.name ? [one] : []))
}
