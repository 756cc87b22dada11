import { lookUpTool } from "../catalogue/look-up.ts"
import type { Step } from "../workflow/workflow.ts"
import { didYouMean } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"
import { shown } from "./shown.ts"
import { toolSuggester } from "./suggested-tools.ts"
import { workflowOf, workflowPlace } from "./workflow-of.ts"

export const stepToolUnknown: DiagnosticRule = {
  code: "step-tool-unknown",
  severity: "warning",
  title: "A step that names a tool that nobody has",
  why: "A name that is no tool allows nothing in the step, and blocks nothing.",
  fix: "Write the name as it is suggested. A tool of an MCP server is written `mcp__SERVER__TOOL`, or `server:tool` in the lists for those.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n      blocked_tools: [Bahs]\n---\n\nDevelop the feature.\n",
  },
  check(subject, surroundings) {
    const workflow = workflowOf(subject)?.workflow
    if (!workflow) return
    const own = new Set((subject.agent.toolDefinitions ?? []).map(({ name }) => name))
    const suggest = toolSuggester(subject, surroundings)
    for (const [index, step] of workflow.steps.entries())
      for (const { key, names } of listsOf(step))
        for (const [at, name] of names.entries()) {
          if (own.has(name) || surroundings.tools.has(name) || lookUpTool(name).type !== "unknown") continue
          const suggested = suggest(name)
          subject.report({
            message: `No tool is called \`${shown(name)}\`, here or in any host that is known, so the step \`${shown(step.name)}\` ${key === "allowed_tools" ? "allows" : "blocks"} nothing by it.${didYouMean(suggested)}`,
            at: workflowPlace(subject, { path: ["steps", index, key, at] }),
          })
        }
  },
}

const listsOf = ({ allowedTools, blockedTools }: Step) => [
  { key: "allowed_tools", names: allowedTools === "all" ? [] : allowedTools },
  { key: "blocked_tools", names: blockedTools },
]
