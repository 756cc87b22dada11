import { locateEntry } from "../entry-place.ts"
import { quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { listDelegates } from "./delegates.ts"

export const delegationUnreachable: DiagnosticRule = {
  code: "delegation-unreachable",
  severity: "warning",
  title: "Delegation only to hidden agents",
  why: "The agent has the tool to delegate, but every agent that it may call is hidden, so its model is offered none.",
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
    const delegates = listDelegates(subject, surroundings) ?? []
    const delegateAgents = delegates.flatMap(({ name }) => surroundings.agents.get(name) ?? [])
    // If none of the agents exists, each missing name is already an error.
    if (delegateAgents.length === 0 || delegateAgents.some(({ hidden }) => !hidden)) return
    const { index } = delegates[0]!
    const hidden = delegateAgents.map(({ name }) => name)
    subject.report({
      message: `This agent may delegate only to ${quoteNames(hidden, "and")}. Hidden agents are not offered to models, so it cannot delegate at all. Name another agent, or set \`hidden\` to false.`,
      at: locateEntry(subject, "tools.allow", subject.agent.tools.allow, index),
    })
  },
}
