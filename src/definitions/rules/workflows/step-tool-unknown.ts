import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import type { Step } from "../../workflow/workflow.ts"
import { didYouMean } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { toolSuggester } from "../tools/suggested-tools.ts"
import { entriesIn, workflowOf, workflowPlace } from "./workflow-of.ts"

export const stepToolUnknown: DiagnosticRule = {
  code: "step-tool-unknown",
  severity: "warning",
  title: "A step that names a tool that nobody has",
  why: "A name that is no tool allows nothing in the step, blocks nothing, and no call is ever one of it.",
  fix: "Write the name as it is suggested. A tool of an MCP server is written `mcp__SERVER__TOOL`, or `server:tool` in the lists for those.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n      blocked_tools: [Bahs]\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject, surroundings) {
    const workflow = workflowOf(subject)?.workflow
    if (!workflow) return
    const own = new Set((subject.agent.toolDefinitions ?? []).map(({ name }) => name))
    const suggest = toolSuggester(subject, surroundings)
    const isKnown = (name: string) =>
      own.has(name) || surroundings.tools.has(name) || lookUpTool(name).type !== "unknown"
    for (const [index, step] of workflow.steps.entries())
      for (const { key, names } of listsOf(step))
        for (const [at, name] of names.entries()) {
          if (isKnown(name)) continue
          const suggested = suggest(name)
          subject.report({
            message: `No tool is called \`${shown(name)}\`, here or in any host that is known, so the step \`${shown(step.name)}\` ${key === "allowed_tools" ? "allows" : "blocks"} nothing by it.${didYouMean(suggested)}`,
            at: workflowPlace(subject, { path: ["steps", index, key, at] }),
          })
        }
    for (const { entry, path } of entriesIn(subject, workflow)) {
      if (entry.server !== undefined || path.some(isOfServers)) continue
      for (const name of entry.tools ?? []) {
        const suggested = isKnown(name) ? [] : suggest(name)
        // What is like no other may be a tool of any MCP server.
        if (suggested.length > 0)
          subject.report({
            message: `No tool is called \`${shown(name)}\`, here or in any host that is known, so what is to happen after its calls never does, unless an MCP server has one.${didYouMean(suggested)}`,
            at: workflowPlace(subject, { path: [...path, "tool"] }),
          })
      }
    }
  },
}

const isOfServers = (key: string | number): boolean => String(key).startsWith("on_mcp_")

const listsOf = ({ allowedTools, blockedTools }: Step) => [
  { key: "allowed_tools", names: allowedTools === "all" ? [] : allowedTools },
  { key: "blocked_tools", names: blockedTools },
]
