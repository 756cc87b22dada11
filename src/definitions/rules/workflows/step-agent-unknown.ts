import { describeBrokenAgent } from "../delegation/broken-agent.ts"
import { createNamesCache, didYouMean, quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { listReactions, locateInWorkflow, readOwnWorkflow } from "./workflow-of.ts"

export const stepAgentUnknown: DiagnosticRule = {
  code: "step-agent-unknown",
  severity: "error",
  title: "A step that spawns an agent that does not exist",
  why: "The agent's work is not done, and the run goes on without it or not at all.",
  fix: "Write the name of an agent that exists, or add the one that is missing.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n      on_enter:\n        - spawn_agent: { agent: reviewr, prompt: Review the plan. }\n---\n\nDevelop the feature.\n",
    beside: [
      {
        file: ".cadre/agents/reviewer.md",
        text: "---\nname: reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
      },
    ],
  },
  about: "workflow",
  check(subject, surroundings) {
    const workflow = readOwnWorkflow(subject)?.workflow
    if (!workflow) return
    const spawns = listReactions(subject, workflow).flatMap(({ reaction: { effects }, path }) =>
      effects.flatMap((effect) => (effect.type === "spawn_agent" ? [{ agent: effect.agent, path }] : [])),
    )
    for (const { agent, path } of spawns) {
      if (surroundings.agents.has(agent)) continue
      const broken = describeBrokenAgent(agent, surroundings)
      if (broken !== undefined) {
        subject.report({
          severity: "warning",
          message: `${broken}, so it cannot be spawned.`,
          at: locateInWorkflow(subject, { path }),
        })
        continue
      }
      const knownAgents = agentNames(surroundings)
      const near = knownAgents.near(agent)
      const others =
        knownAgents.sorted.length > 0
          ? ` Known: ${quoteNames(knownAgents.sorted.slice(0, 9), "and", knownAgents.sorted.length)}.`
          : ""
      subject.report({
        message: `There is no agent \`${shorten(agent)}\` to spawn.${near.length > 0 ? didYouMean(near) : others}`,
        at: locateInWorkflow(subject, { path }),
      })
    }
  },
}

const agentNames = createNamesCache(({ agents }) => [...agents.keys()].sort())
