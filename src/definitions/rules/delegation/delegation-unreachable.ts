import { entryPlace } from "../entry-place.ts"
import { quoted } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { delegatesOf } from "./delegates.ts"

export const delegationUnreachable: DiagnosticRule = {
  code: "delegation-unreachable",
  severity: "warning",
  title: "Delegation to nobody who is offered",
  why: "The agent has the tool to delegate, but every agent that it may name is hidden, so the model is told of none.",
  fix: "Name an agent that is not hidden, set its `hidden` to false, or remove `Agent` from the tools.",
  example: {
    file: ".cadre/agents/lead.md",
    text: "---\nname: lead\ndescription: Splits the work.\ntools: Read, Agent(archivist)\n---\n\nDelegate the work.\n",
    beside: [
      {
        file: ".cadre/agents/archivist.md",
        text: "---\nname: archivist\ndescription: Keeps old reports.\nhidden: true\n---\n\nKeep the reports.\n",
      },
    ],
  },
  check(subject, surroundings) {
    const delegates = delegatesOf(subject, surroundings) ?? []
    const found = delegates.flatMap(({ name }) => surroundings.agents.get(name) ?? [])
    // Where nobody is there at all, each missing name is an error of its own.
    if (found.length === 0 || found.some(({ hidden }) => !hidden)) return
    const { index } = delegates[0]!
    const hidden = found.map(({ name }) => name)
    subject.report({
      message: `This agent may delegate only to ${quoted(hidden, "and")}, and hidden agents are not offered to models, so it can delegate to nobody. Name another agent, or set \`hidden\` to false.`,
      at: entryPlace(subject, "tools.allow", subject.agent.tools.allow, index),
    })
  },
}
