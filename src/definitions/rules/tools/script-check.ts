import { existsSync } from "node:fs"
import type { ToolDefinition } from "../../../agent/agent.ts"
import { findUnknownExternals } from "../../scripts/host-functions.ts"
import { readScriptFile } from "../../scripts/read-script-file.ts"
import { type DiagnosticRule, locatePart, type Subject } from "../rule.ts"

export const scriptCheck: DiagnosticRule = {
  code: "script-check",
  severity: "error",
  title: "A script that does not pass its check",
  why: "The engine of scripts runs a part of Python: E001 to E012 keep a script from running, W001 to W004 do not.",
  fix: "Change the script at the line and column of the finding.",
  about: "toolDefinitions",
  example: {
    file: ".cadre/agents/counter.md",
    text: "---\nname: counter\ndescription: Counts lines.\ntools: ./count.pym\n---\n\nCount the lines.\n",
    beside: [{ file: ".cadre/agents/count.pym", text: "class Counter: ...\n" }],
  },
  check(subject) {
    const { toolDefinitions = [] } = subject.agent
    // An agent in code may have anything here. Other rules report it.
    if (!Array.isArray(toolDefinitions)) return
    for (const [index, definition] of toolDefinitions.entries())
      for (const file of filesOf(definition)) if (existsSync(file)) checkFile(file, index, subject)
  },
}

/** Definitions in code may lack the path, or be no definitions. */
function filesOf(definition: ToolDefinition | null | undefined): readonly string[] {
  const { script, contextProviders = [] } = definition ?? ({} as Partial<ToolDefinition>)
  return [script, ...[contextProviders].flat()].filter((file) => typeof file === "string")
}

function checkFile(file: string, index: number, subject: Subject): void {
  const { entry } = subject.agent.toolDefinitions![index]!
  const at =
    entry === undefined
      ? locatePart(subject, "toolDefinitions", index)
      : locatePart(
          subject,
          "tools.allow",
          subject.agent.tools.allow.indexOf(subject.agent.toolDefinitions![index]!.name),
        )
  const reading = readScriptFile(file)
  if (reading.type === "refused") return subject.report({ message: reading.message, at })
  const { script } = reading
  for (const { code, severity, message, line, column } of [
    ...script.problems,
    ...findUnknownExternals(script),
  ])
    subject.report({
      message: `${file}:${line}:${column}: ${code}: ${message}`,
      at,
      ...(severity === "warning" && { severity }),
    })
}
