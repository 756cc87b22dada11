import { splitToolName } from "../catalogue/look-up.ts"
import { namesIn } from "./delegates.ts"
import { entryPlace } from "./entry-place.ts"
import { isBalanced, namedTools, toolsOf } from "./named-tool.ts"
import { quoted } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"
import { shown } from "./shown.ts"

export const toolArgument: DiagnosticRule = {
  code: "tool-argument",
  severity: "error",
  title: "Parentheses that do not say what they should",
  why: "A list of agents that is written wrongly is read as something else, and the agent can delegate to nobody, or to everybody.",
  fix: "Write all agents in one pair of parentheses, `Agent(reviewer, tester)`, and close every one that is opened.",
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
    for (const part of ["allow", "deny"] as const) {
      const tools = namedTools(subject.agent.tools[part], subject, surroundings)
      const place = (index: number) => entryPlace(subject, `tools.${part}`, subject.agent.tools[part], index)
      for (const { text, index } of tools)
        if (!isBalanced(text))
          subject.report({
            message: `The parentheses of \`${shown(text)}\` do not match, so it names no tool. Write it such as \`Agent(reviewer, tester)\`.`,
            at: place(index),
          })
        else if (splitToolName(text).argument === "")
          subject.report({
            message: `The parentheses of \`${shown(text)}\` are empty: it is not clear whether none or all are meant. Name what is meant, or write \`${shown(splitToolName(text).name)}\` for all.`,
            at: place(index),
          })
      const delegating = tools.filter((tool) => tool.argument && toolsOf(tool)[0] === "Agent")
      if (part === "deny" || delegating.length < 2) continue
      const agents = new Set(delegating.flatMap(({ argument }) => namesIn(argument!)))
      const together = `Agent(${[...agents].join(", ")})`
      subject.report({
        message: `Agents are named in one pair of parentheses: hosts read only one of ${quoted(
          delegating.map(({ text }) => text),
          "or",
        )} and ignore the rest. Write ${together.length > 200 ? "them all in one" : `\`${together}\``}.`,
        at: place(delegating[1]!.index),
      })
    }
  },
}
