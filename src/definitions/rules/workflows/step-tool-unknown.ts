import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import type { WorkflowStep } from "../../workflow/workflow.ts"
import { didYouMean } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { createToolSuggester } from "../tools/suggested-tools.ts"
import { listReactions, locateInWorkflow, readOwnWorkflow } from "./workflow-of.ts"

export const stepToolUnknown: DiagnosticRule = {
  code: "step-tool-unknown",
  severity: "warning",
  title: "A step that names an unknown tool",
  why: "A name that is not a tool allows nothing in the step and blocks nothing, and no call is ever of that tool.",
  fix: "Write the suggested name. Write a tool of an MCP server as `mcp__SERVER__TOOL`, or as `server:tool` in the lists for such tools.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n      blocked_tools: [Bahs]\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject, surroundings) {
    const workflow = readOwnWorkflow(subject)?.workflow
    if (!workflow) return
    const own = new Set((subject.agent.toolDefinitions ?? []).map(({ name }) => name))
    const suggest = createToolSuggester(subject, surroundings)
    const isKnown = (name: string) =>
      own.has(name) || surroundings.tools.has(name) || lookUpTool(name).type !== "unknown"
    for (const [index, step] of workflow.steps.entries())
      for (const { key, names } of listsOf(step))
        for (const [at, name] of names.entries()) {
          if (isKnown(name)) continue
          const suggestions = suggest(name)
          subject.report({
            message: `No tool is named \`${shorten(name)}\`, here or in any known host, so it ${key === "allowed_tools" ? "allows" : "blocks"} nothing in the step \`${shorten(step.name)}\`.${didYouMean(suggestions)}`,
            at: locateInWorkflow(subject, { path: ["steps", index, key, at] }),
          })
        }
    for (const { reaction, path } of listReactions(subject, workflow)) {
      if (reaction.server !== undefined || path.some(isOfServers)) continue
      for (const name of reaction.tools ?? []) {
        const suggestions = isKnown(name) ? [] : suggest(name)
        // A name without a suggestion may be a tool of an MCP server.
        if (suggestions.length > 0)
          subject.report({
            message: `No tool is named \`${shorten(name)}\`, here or in any known host. The effects after its calls never happen, unless an MCP server has such a tool.${didYouMean(suggestions)}`,
            at: locateInWorkflow(subject, { path: [...path, "tool"] }),
          })
      }
    }
  },
}

const isOfServers = (key: string | number): boolean => String(key).startsWith("on_mcp_")

const listsOf = ({ allowedTools, blockedTools }: WorkflowStep) => [
  { key: "allowed_tools", names: allowedTools === "all" ? [] : allowedTools },
  { key: "blocked_tools", names: blockedTools },
]
