import { entrySpan } from "../entry-place.ts"
import { didYouMean, quoted } from "../near-names.ts"
import { at, type DiagnosticRule } from "../rule.ts"
import { isSameSpelling, repair } from "../spelling-fix.ts"
import { isBalanced, namedTools, toolsOf } from "./named-tool.ts"
import { toolSuggester } from "./suggested-tools.ts"
import { nameIn } from "./tool-unknown.ts"

export const toolsUnresolved: DiagnosticRule = {
  code: "tools-unresolved",
  severity: "error",
  title: "A tool list of which no name is a tool here",
  why: "The author meant to grant something, and nothing is granted. Some hosts then grant every tool, which is worse; here it never does.",
  fix: "Name tools that exist here, or leave the list out to inherit those of the caller.",
  example: {
    file: ".claude/agents/tester.md",
    text: "---\nname: tester\ndescription: Runs the tests.\ntools: pip, pytest, black\n---\n\nRun the tests.\n",
  },
  check(subject, surroundings) {
    const { mode, allow } = subject.agent.tools
    if (mode !== "list" || allow.length === 0) return
    const tools = namedTools(allow, subject, surroundings)
    if (tools.some((tool) => toolsOf(tool).length > 0 || !isBalanced(tool.text))) return
    const suggest = toolSuggester(subject, surroundings)
    const suggestions = tools.map(({ name, known }) => (known.type === "unknown" ? suggest(name) : []))
    const suggested = [...new Set(suggestions.flat())]
    const instead =
      suggested.length > 0
        ? didYouMean(suggested)
        : " Name tools such as `Read`, `Bash` or `mcp__SERVER__TOOL`, or leave the list out to inherit those of the caller."
    const isSure =
      subject.source !== undefined &&
      tools.length <= 20 &&
      tools.every(
        ({ name }, index) =>
          suggestions[index]!.length === 1 && isSameSpelling(name, suggestions[index]![0]!),
      )
    subject.report({
      message: `This agent has no tools, because nothing that is listed is a tool here: ${quoted(allow, "and")}. That never means all tools.${instead}`,
      at: at(subject, "tools.allow"),
      ...(isSure && {
        fix: repair(
          tools.map(({ text, name, index }) => ({
            right: suggestions[index]![0]!,
            span: () => nameIn(entrySpan(subject, "tools.allow", allow, index), text, name),
          })),
        ),
      }),
    })
  },
}
