import { defineCommand } from "../command.ts"
import { examine } from "../doctor/examine.ts"
import { canStartTitle } from "../doctor/files.ts"
import type { DoctorFinding } from "../doctor/finding.ts"
import { sweepUp } from "../doctor/worktrees.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "Check your whole setup, and show what is broken and how to fix it",
  arguments: [],
  options: {
    try: { type: "flag", doc: "Also start the sandbox once, and ask each MCP server for its tools" },
    sweep: {
      type: "flag",
      doc: "First remove empty worktrees of ended runs, and leftovers of killed processes",
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    {
      line: "cadre doctor",
      doc: "Check files, trust, tools, configuration, providers, stored runs and Node",
    },
    { line: "cadre doctor --try", doc: "Also test the sandbox and the MCP servers" },
    {
      line: "cadre doctor --json | jq '.findings[] | select(.level == \"broken\")'",
      doc: "Print only what is broken",
    },
  ],
  async run({ options, stdout, ...surroundings }) {
    const sweepFindings = options.sweep ? await sweepUp(surroundings) : []
    const findings = [
      ...(await examine({ ...surroundings, stdout }, options.try ? "try" : "look")),
      ...sweepFindings,
    ]
    const broken = findings.filter(({ level }) => level === "broken").length
    stdout.write(
      options.json
        ? writeJsonText({ findings })
        : `${findings.length > 0 ? text(findings) : ""}\n${verdict(broken, findings)}\n`,
    )
    return broken > 0 ? exitCode.problems : exitCode.fine
  },
})

function text(findings: readonly DoctorFinding[]): string {
  const parts = [...new Set(findings.map(({ part }) => part))]
  return parts
    .map((part) => {
      const rows = findings
        .filter((finding) => finding.part === part)
        .map(({ level, what, state, reason, remedy }) => [
          marks[level],
          what,
          state,
          [reason, remedy].filter((part) => part !== undefined).join(" "),
        ])
      return `${part}\n${formatTable(rows)}`
    })
    .join("\n\n")
}

const marks = { fine: " ok", note: "  -", broken: "  !" } as const

function verdict(broken: number, findings: readonly DoctorFinding[]): string {
  if (broken > 0) return `${broken} ${broken === 1 ? "thing is" : "things are"} broken.`
  const isHeld = findings.some(({ what, level }) => what === canStartTitle && level === "note")
  return isHeld ? "Nothing is broken, but not every agent can start." : "Nothing is broken."
}
