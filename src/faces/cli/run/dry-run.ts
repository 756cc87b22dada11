import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"
import type { Surroundings } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { isOfTheLine } from "../report-failure.ts"
import { jsonText } from "../terminal/json-text.ts"
import { type ForeseenProblem, foresee, type Wanted } from "./foresee.ts"
import { type Foreseen, foreseenOf } from "./foreseen.ts"
import { foreseenText } from "./foreseen-text.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"

/**
 * Tells what a run would have, and everything that would keep it from starting. Nothing is started, asked or written; the
 * exit code is that of the run where it would not start.
 */
export async function dryRun(runs: Opened, wanted: Wanted, context: Surroundings): Promise<ExitCode> {
  const found = await foresee(runs, wanted, context)
  const code = codeOf(found.problems[0])
  const foreseen = foreseenOf(runs, found, { ...wanted, code }, context)
  context.stdout.write(maskSecrets(printed(foreseen, wanted.driving, context.directory)))
  return code
}

function codeOf(first: ForeseenProblem | undefined): ExitCode {
  if (first === undefined) return exitCode.fine
  if (first.code === "USAGE" || (first.code !== null && isOfTheLine(first.code))) return exitCode.usage
  return first.code === "UNTRUSTED" || first.code === "TRUST_CHANGED" ? exitCode.untrusted : exitCode.problems
}

function printed(foreseen: Foreseen, { print }: Driving, base: string): string {
  if (print === "text") return foreseenText(foreseen, base)
  return print === "json" ? jsonText(foreseen) : `${escapeJson(JSON.stringify(foreseen))}\n`
}
