import { agentsOf } from "../../../agent/pipeline.ts"
import { shapeProblems } from "../../pipelines/shape.ts"
import { delegatesOf } from "../delegation/delegates.ts"
import { quoted } from "../near-names.ts"
import { at, type DiagnosticRule, type Subject, type Surroundings } from "../rule.ts"
import { shown } from "../shown.ts"
import { isWithin, namedTools, toolsOf } from "../tools/named-tool.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineAgent: DiagnosticRule = {
  code: "pipeline-agent",
  severity: "error",
  title: "A step for an agent that does not exist, or cannot do it",
  why: "The pipeline would stop at this step, after the work of those before it was paid for.",
  fix: "Write the name of an agent that exists and can be run by itself, and let no pipelines call each other in a circle.",
  example: {
    file: ".cadre/agents/release.yaml",
    text: "name: release\ndescription: Releases a version.\npipeline:\n  - id: build\n    agent: wroker\n    prompt: Build it.\n",
    beside: [
      {
        file: ".cadre/agents/worker.md",
        text: "---\nname: worker\ndescription: Does the work.\n---\n\nDo the work.\n",
      },
    ],
  },
  about: "pipeline",
  check(subject, surroundings) {
    if (!subject.agent.pipeline) return
    reportPipeline(subject, surroundings, "pipeline-agent")
    if (shapeProblems(subject.agent.pipeline.steps).length === 0) reportUngranted(subject, surroundings)
  },
}

/** Steps hand work on with the same tool, and under the same rights, as a model would. */
function reportUngranted(subject: Subject, surroundings: Surroundings): void {
  const { tools, pipeline } = subject.agent
  const grants = (list: readonly string[]) =>
    namedTools(list, subject, surroundings).filter((tool) =>
      toolsOf(tool).some((name) => isWithin(name, "Agent")),
    )
  const isDenied = grants(tools.deny).some(({ argument }) => !argument)
  if (isDenied || (tools.mode === "list" && grants(tools.allow).length === 0)) {
    subject.report({
      message: `The pipeline hands work to agents, but it does not have the tool \`Agent\`, so every such step would be denied. ${isDenied ? "Take it out of `disallowedTools`" : "Add it to `tools`"}; its agents have the tools of their own files.`,
      at: at(subject, isDenied ? "tools.deny" : "tools.allow"),
    })
    return
  }
  const named = delegatesOf(subject, surroundings)?.map(({ name }) => name)
  for (const name of named ? agentsOf(pipeline!.steps) : [])
    if (!named!.some((pattern) => isWithin(pattern, name)))
      subject.report({
        message: `The pipeline may call only ${quoted(named!, "and")}, so its step for \`${shown(name)}\` would be denied. Name it in \`tools\`, too.`,
        at: at(subject, "tools.allow"),
      })
}
