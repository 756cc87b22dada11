import { defineCommand } from "../command.ts"
import { examine } from "../doctor/examine.ts"
import type { Examined } from "../doctor/examined.ts"
import { canStart } from "../doctor/files.ts"
import { sweepUp } from "../doctor/worktrees.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../terminal/json-text.ts"
import { table } from "../terminal/table.ts"

export const command = defineCommand({
  name: "doctor",
  summary: "Look at everything cadre stands on, and say what is broken and what to do",
  arguments: [],
  options: {
    try: { type: "flag", doc: "Also run the sandbox, once, to see whether it works" },
    sweep: {
      type: "flag",
      doc: "First remove worktrees of ended runs that hold nothing, and what killed processes left",
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre doctor", doc: "Files, trust, tools, configuration, providers, kept runs and Node" },
    { line: "cadre doctor --try", doc: "The same, and whether commands can run in the sandbox" },
    { line: "cadre doctor --json | jq '.findings[] | select(.level == \"broken\")'", doc: "What is broken" },
  ],
  async run({ options, stdout, ...surroundings }) {
    const swept = options.sweep ? await sweepUp(surroundings) : []
    const findings = [...(await examine({ ...surroundings, stdout }, options.try ? "try" : "look")), ...swept]
    const broken = findings.filter(({ level }) => level === "broken").length
    stdout.write(
      options.json
        ? jsonText({ findings })
        : `${findings.length > 0 ? text(findings) : ""}\n${verdict(broken, findings)}\n`,
    )
    return broken > 0 ? exitCode.problems : exitCode.fine
  },
})

function text(findings: readonly Examined[]): string {
  const parts = [...new Set(findings.map(({ part }) => part))]
  return parts
    .map((part) => {
      const rows = findings
        .filter((finding) => finding.part === part)
        .map(({ level, what, state, reason, remedy }) => [
          marks[level],
          what,
          state,
          [reason, remedy].filter((said) => said !== undefined).join(" "),
        ])
      return `${part}\n${table(rows)}`
    })
    .join("\n\n")
}

const marks = { fine: " ok", note: "  -", broken: "  !" } as const

function verdict(broken: number, findings: readonly Examined[]): string {
  if (broken > 0) return `${broken} ${broken === 1 ? "thing is" : "things are"} broken.`
  const isHeld = findings.some(({ what, level }) => what === canStart && level === "note")
  return isHeld ? "Nothing is broken, but not every agent can start." : "Nothing is broken."
}
