import { rules } from "../../../definitions/rules/index.ts"
import type { DiagnosticRule } from "../../../definitions/rules/rule.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { UsageError } from "../usage-error.ts"

export const rulesCommand = defineCommand({
  name: "rules",
  summary: "List the rules of `cadre check`, or explain one with an example and a fix",
  arguments: [{ name: "code", doc: "One rule. Default: all rules, one per line", count: "optional" }],
  options: { json: { type: "flag", doc: "Print JSON" } },
  examples: [
    { line: "cadre rules", doc: "List every rule" },
    { line: "cadre rules key-restricting", doc: "Explain one" },
  ],
  async run({ arguments: { code }, options, stdout }) {
    const matches = code === undefined ? rules : rules.filter((rule) => rule.code === code)
    if (matches.length === 0)
      throw new UsageError(
        `Unknown rule ${JSON.stringify(code)}. ${listKnownNames(
          code!,
          rules.map(({ code }) => code),
        )}`,
      )
    if (options.json) stdout.write(writeJsonText(matches.map(plain)))
    else if (code === undefined)
      stdout.write(
        `${formatTable([...rules].sort(byCode).map(({ code, severity, title }) => [code, severity, title]))}\n`,
      )
    else stdout.write(`${ruleText(matches[0]!)}\n`)
    return exitCode.fine
  },
})

const plain = ({ code, severity, title, why, fix, example }: DiagnosticRule) => ({
  code,
  severity,
  title,
  why,
  fix,
  example,
})

function ruleText({ code, severity, title, why, fix, example }: DiagnosticRule): string {
  const exampleText =
    "unreproducible" in example
      ? `No example: ${example.unreproducible}`
      : `Example (${example.file}):\n\n${example.text.replaceAll(/^/gm, "    ").trimEnd()}`
  return `${code} (${severity})\n${title}\n\nWhy: ${why}\n\nTo fix it: ${fix}\n\n${exampleText}`
}

const byCode = (left: DiagnosticRule, right: DiagnosticRule): number => (left.code < right.code ? -1 : 1)
