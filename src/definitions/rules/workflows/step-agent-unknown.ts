import { brokenAgent } from "../delegation/broken-agent.ts"
import { didYouMean, knownNamesOf, quoted } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { entriesIn, workflowOf, workflowPlace } from "./workflow-of.ts"

export const stepAgentUnknown: DiagnosticRule = {
  code: "step-agent-unknown",
  severity: "error",
  title: "A step that spawns an agent that does not exist",
  why: "Nobody does what the agent was to do, and the run goes on without it or not at all.",
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
    const spawns = entriesIn(subject, workflow).flatMap(({ entry: { effects }, path }) =>
      effects.flatMap((effect) => (effect.type === "spawn_agent" ? [{ agent: effect.agent, path }] : [])),
    )
    for (const { agent, path } of spawns) {
      if (surroundings.agents.has(agent)) continue
      const broken = brokenAgent(agent, surroundings)
      if (broken !== undefined) {
        subject.report({
          severity: "warning",
          message: `${broken}, so it cannot be spawned.`,
          at: workflowPlace(subject, { path }),
        })
        continue
      }
      const known = agentNames(surroundings)
      const near = known.near(agent)
      const others =
        known.sorted.length > 0
          ? ` Known: ${quoted(known.sorted.slice(0, 9), "and", known.sorted.length)}.`
          : ""
      subject.report({
        message: `There is no agent \`${shown(agent)}\` to spawn.${near.length > 0 ? didYouMean(near) : others}`,
        at: workflowPlace(subject, { path }),
      })
    }
  },
}

const agentNames = knownNamesOf(({ agents }) => [...agents.keys()].sort())
