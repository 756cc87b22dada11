import { describeBrokenAgent } from "../delegation/broken-agent.ts"
import { didYouMean, namesCache, quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { reactionsIn, workflowOf, workflowPlace } from "./workflow-of.ts"

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
    const workflow = workflowOf(subject)?.workflow
    if (!workflow) return
    const spawns = reactionsIn(subject, workflow).flatMap(({ reaction: { effects }, path }) =>
      effects.flatMap((effect) => (effect.type === "spawn_agent" ? [{ agent: effect.agent, path }] : [])),
    )
    for (const { agent, path } of spawns) {
      if (surroundings.agents.has(agent)) continue
      const broken = describeBrokenAgent(agent, surroundings)
      if (broken !== undefined) {
        subject.report({
          severity: "warning",
          message: `${broken}, so it cannot be spawned.`,
          at: workflowPlace(subject, { path }),
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
        at: workflowPlace(subject, { path }),
      })
    }
  },
}

const agentNames = namesCache(({ agents }) => [...agents.keys()].sort())
