import { listStepAgents } from "../../../agent/pipeline.ts"
import { shapeProblems } from "../../pipelines/shape.ts"
import { listDelegates } from "../delegation/delegates.ts"
import { quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart, type RuleFacts, type Subject } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { listEntryTools, matchesTool, readToolEntries } from "../tools/named-tool.ts"
import { reportPipeline } from "./pipeline-findings.ts"

export const pipelineAgent: DiagnosticRule = {
  code: "pipeline-agent",
  severity: "error",
  title: "A pipeline step whose agent is missing, cannot be started, or may not be called",
  why: "The pipeline would stop at this step, after the earlier steps were paid for.",
  fix: "Name an existing agent whose `mode` is `headless`, and give the pipeline the tool `Agent`. Pipelines must not call each other in a circle.",
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

/** A step counts as a call of the tool `Agent` by the pipeline, so the lists of tools bind it like a model's call. */
function reportUngranted(subject: Subject, surroundings: RuleFacts): void {
  const { tools, pipeline } = subject.agent
  const entriesForAgent = (list: readonly string[]) =>
    readToolEntries(list, subject, surroundings).filter((tool) =>
      listEntryTools(tool).some((name) => matchesTool(name, "Agent")),
    )
  const isDenied = entriesForAgent(tools.deny).some(({ argument }) => !argument)
  if (isDenied || (tools.mode === "list" && entriesForAgent(tools.allow).length === 0)) {
    subject.report({
      message: `The pipeline hands work to agents, but it does not have the tool \`Agent\`, so every such step would be denied. ${isDenied ? "Remove `Agent` from `disallowedTools`" : "Add `Agent` to `tools`"}. This does not change the tools of the agents that it calls.`,
      at: locatePart(subject, isDenied ? "tools.deny" : "tools.allow"),
    })
    return
  }
  const allowedAgents = listDelegates(subject, surroundings)?.map(({ name }) => name)
  for (const name of allowedAgents ? listStepAgents(pipeline!.steps) : [])
    if (!allowedAgents!.some((pattern) => matchesTool(pattern, name)))
      subject.report({
        message: `The pipeline may call only ${quoteNames(allowedAgents!, "and")}, so its step for \`${shorten(name)}\` would be denied. Add the name to \`Agent(…)\` in \`tools\`.`,
        at: locatePart(subject, "tools.allow"),
      })
}
