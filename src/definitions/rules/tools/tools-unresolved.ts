import { findEntrySpan } from "../entry-place.ts"
import { didYouMean, quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"
import { isSameSpelling, makeReplacementFix } from "../spelling-fix.ts"
import { isBalanced, listEntryTools, readToolEntries } from "./named-tool.ts"
import { createToolSuggester } from "./suggested-tools.ts"
import { nameSpan } from "./tool-unknown.ts"

export const toolsUnresolved: DiagnosticRule = {
  code: "tools-unresolved",
  severity: "error",
  title: "A tool list in which no name is a tool here",
  why: "The author meant to grant tools, but none is granted. Some hosts then grant every tool, which is worse; cadre never does.",
  fix: "Name tools that exist here, or leave the list out to inherit those of the caller.",
  example: {
    file: ".claude/agents/tester.md",
    text: "---\nname: tester\ndescription: Runs the tests.\ntools: pip, pytest, black\n---\n\nRun the tests.\n",
  },
  check(subject, surroundings) {
    const { mode, allow } = subject.agent.tools
    if (mode !== "list" || allow.length === 0) return
    const tools = readToolEntries(allow, subject, surroundings)
    if (tools.some((tool) => listEntryTools(tool).length > 0 || !isBalanced(tool.text))) return
    const suggest = createToolSuggester(subject, surroundings)
    const suggestions = tools.map(({ name, match }) => (match.type === "unknown" ? suggest(name) : []))
    const uniqueSuggestions = [...new Set(suggestions.flat())]
    const instead =
      uniqueSuggestions.length > 0
        ? didYouMean(uniqueSuggestions)
        : " Name tools such as `Read`, `Bash` or `mcp__SERVER__TOOL`, or leave the list out to inherit the caller's tools."
    const isSure =
      subject.source !== undefined &&
      tools.length <= 20 &&
      tools.every(
        ({ name }, index) =>
          suggestions[index]!.length === 1 && isSameSpelling(name, suggestions[index]![0]!),
      )
    subject.report({
      message: `This agent has no tools, because no entry of its list is a tool here: ${quoteNames(allow, "and")}. Such a list never means all tools.${instead}`,
      at: locatePart(subject, "tools.allow"),
      ...(isSure && {
        fix: makeReplacementFix(
          tools.map(({ text, name, index }) => ({
            right: suggestions[index]![0]!,
            span: () => nameSpan(findEntrySpan(subject, "tools.allow", allow, index), text, name),
          })),
        ),
      }),
    })
  },
}
