import { knownNames } from "../errors.ts"
import { at, type DiagnosticRule } from "./rule.ts"
import { shown } from "./shown.ts"

export const executorUnknown: DiagnosticRule = {
  code: "executor-unknown",
  severity: "warning",
  title: "An executor that is not configured",
  why: "Which program an executor is stands in a configuration, and an agent whose executor stands in none does not start. It is a warning because yours may name it where the agent runs, and not where it is checked.",
  fix: "Write the name of an executor that is configured, or name its command below `executors:` in your config.yaml. Where it is configured elsewhere, turn the rule off: `rules: { executor-unknown: off }`.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nexecutor: claud\n---\n\nReview the changes.\n",
  },
  check(subject, { executors }) {
    const { executor } = subject.agent
    if (!executors || executor === undefined || executors.has(executor)) return
    subject.report({
      message: `No executor \`${shown(executor)}\` is configured, so the agent cannot start here. ${knownNames(executor, executors)} Name its command below \`executors:\` in your config.yaml.`,
      at: at(subject, "executor"),
    })
  },
}
