import { type DiagnosticRule, locatePart } from "../rule.ts"
import { listEntryTools, readToolEntries } from "./named-tool.ts"

export const grantDangerous: DiagnosticRule = {
  code: "grant-dangerous",
  severity: "warning",
  title: "Rights that leave nothing to approve",
  why: "If no call is ever asked about, a page, a file or a tool result can talk the agent into anything.",
  fix: "Leave `permissionMode` out, and allow tools by name. Give an agent that runs commands and reads the web an `isolation`.",
  example: {
    file: ".claude/agents/fixer.md",
    text: "---\nname: fixer\ndescription: Fixes what is broken.\npermissionMode: bypassPermissions\n---\n\nFix it.\n",
  },
  check(subject, surroundings) {
    const { tools, rules, permissionMode, isolation } = subject.agent
    const denied = new Set(readToolEntries(tools.deny, subject, surroundings).flatMap(listEntryTools))
    const granted = new Set(
      readToolEntries(tools.allow, subject, surroundings)
        .flatMap(listEntryTools)
        .filter((tool) => !denied.has(tool)),
    )
    const open =
      granted.has("Bash") && isolation === undefined ? network.find((tool) => granted.has(tool)) : undefined
    const bypass = permissionMode !== undefined && bypassing.has(permissionMode)
    if (bypass)
      subject.report({
        message: `\`${permissionMode}\` means, in hosts that grant it, that this agent never asks before a call${open === undefined ? "" : `. It also has \`Bash\` and \`${open}\` without isolation, so a malicious web page could make it run commands`}. Leave the mode out, or use one that asks.`,
        at: locatePart(subject, "permissionMode"),
      })
    for (const [index, { tool, decision }] of rules.entries())
      if (tool === "*" && decision === "allow")
        subject.report({
          message:
            "This rule allows every tool without asking, including tools that are added later. Name the tools to allow.",
          at: locatePart(subject, "rules", index),
        })
    if (open !== undefined && !bypass)
      subject.report({
        severity: "info",
        message: `This agent has \`Bash\` and \`${open}\` without isolation, so a malicious web page could make it run commands. Remove one of the two tools, or set \`isolation\`.`,
        at: locatePart(subject, "tools.allow"),
      })
  },
}

const network = ["WebFetch", "WebSearch"]

/** The names of such modes in Claude Code, Codex and Gemini. */
const bypassing = new Set([
  "bypassPermissions",
  "bypass",
  "dangerously-skip-permissions",
  "danger-full-access",
  "yolo",
])
