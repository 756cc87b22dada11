import { at, type DiagnosticRule } from "../rule.ts"
import { namedTools, toolsOf } from "./named-tool.ts"

export const grantDangerous: DiagnosticRule = {
  code: "grant-dangerous",
  severity: "warning",
  title: "Rights that leave nothing to decide",
  why: "An agent that is never asked can do whatever a page, a file or a tool result talks it into.",
  fix: "Leave `permissionMode` out, allow tools by name, and give an agent that runs commands and reads the web an `isolation`.",
  example: {
    file: ".claude/agents/fixer.md",
    text: "---\nname: fixer\ndescription: Fixes what is broken.\npermissionMode: bypassPermissions\n---\n\nFix it.\n",
  },
  check(subject, surroundings) {
    const { tools, rules, permissionMode, isolation } = subject.agent
    const denied = new Set(namedTools(tools.deny, subject, surroundings).flatMap(toolsOf))
    const granted = new Set(
      namedTools(tools.allow, subject, surroundings)
        .flatMap(toolsOf)
        .filter((tool) => !denied.has(tool)),
    )
    const open =
      granted.has("Bash") && isolation === undefined ? network.find((tool) => granted.has(tool)) : undefined
    const bypass = permissionMode !== undefined && bypassing.has(permissionMode)
    if (bypass)
      subject.report({
        message: `\`${permissionMode}\` means, in hosts that grant it, that no call of this agent is ever asked about${open === undefined ? "" : `, and it has \`Bash\` and \`${open}\` without any isolation: a page it reads can have it run commands`}. Leave the mode out, or use one that asks.`,
        at: at(subject, "permissionMode"),
      })
    for (const [index, { tool, decision }] of rules.entries())
      if (tool === "*" && decision === "allow")
        subject.report({
          message:
            "This rule allows every tool without asking, also those that are added later. Name the tools that are to be allowed.",
          at: at(subject, "rules", index),
        })
    if (open !== undefined && !bypass)
      subject.report({
        severity: "info",
        message: `This agent has \`Bash\` and \`${open}\` and no isolation: what it reads on the web may talk it into running commands. Take one of them away, or set \`isolation\`.`,
        at: at(subject, "tools.allow"),
      })
  },
}

const network = ["WebFetch", "WebSearch"]

/** In the words of Claude Code, Codex and Gemini. */
const bypassing = new Set([
  "bypassPermissions",
  "bypass",
  "dangerously-skip-permissions",
  "danger-full-access",
  "yolo",
])
