import { findToolTextProblem } from "../../../agent/catalogue/tool-text.ts"
import { splitAgentNames } from "../delegation/delegates.ts"
import { locateEntry } from "../entry-place.ts"
import { quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"
import { listEntryTools, listFileTools, readToolEntries } from "./named-tool.ts"

export const toolArgument: DiagnosticRule = {
  code: "tool-argument",
  severity: "error",
  title: "Invalid parentheses in a list of tools",
  why: "An entry that is written wrongly would mean something else. The agent could delegate to no agent or to all of them, or a denial would deny nothing. Such an agent does not start.",
  fix: "Write all agents in one pair of parentheses, `Agent(reviewer, tester)`, and close every parenthesis. `Bash(git:*)` is every command that begins with `git`, and plain `Bash` is every command.",
  example: {
    file: ".claude/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(reviewer), Agent(tester)\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".claude/agents/reviewer.md",
        text: "---\nname: reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
      },
      {
        file: ".claude/agents/tester.md",
        text: "---\nname: tester\ndescription: Runs the tests.\n---\n\nRun the tests.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const own = listFileTools(subject)
    const { tools, delegates = [], rules } = subject.agent
    const lists = [
      { part: "tools.allow", entries: tools.allow },
      { part: "tools.deny", entries: tools.deny },
      { part: "delegates", entries: delegates },
      { part: "rules", entries: rules.map(({ tool }) => tool) },
    ] as const
    for (const { part, entries } of lists)
      entries.forEach((text, index) => {
        const problem = own.includes(text) ? undefined : findToolTextProblem(text)
        if (problem === undefined) return
        const place =
          part === "rules" ? locatePart(subject, part, index) : locateEntry(subject, part, entries, index)
        subject.report({ message: problem, at: place })
      })
    const { allow } = tools
    const delegating = readToolEntries(allow, subject, surroundings).filter(
      (tool) => tool.argument && listEntryTools(tool)[0] === "Agent",
    )
    if (delegating.length < 2) return
    const agents = new Set(delegating.flatMap(({ argument }) => splitAgentNames(argument!)))
    const together = `Agent(${[...agents].join(", ")})`
    subject.report({
      message: `Name all agents in one pair of parentheses. Hosts read only one of ${quoteNames(
        delegating.map(({ text }) => text),
        "or",
      )} and ignore the rest. Write ${together.length > 200 ? "them all in one pair" : `\`${together}\``}.`,
      at: locateEntry(subject, "tools.allow", allow, delegating[1]!.index),
    })
  },
}
