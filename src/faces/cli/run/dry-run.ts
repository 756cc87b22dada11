import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"
import type { ProcessContext } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { isUsageCode } from "../report-failure.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { buildDryRunReport, type DryRunReport } from "./dry-run-report.ts"
import { describeDryRun } from "./dry-run-text.ts"
import type { ProjectRuns } from "./open.ts"
import type { Driving } from "./options.ts"
import { type DryRunProblem, type DryRunRequest, prepareDryRun } from "./prepare-dry-run.ts"

/**
 * Shows what a run would use, and everything that would keep it from starting. Nothing is started, asked or written. If the
 * run would not start, the exit code is the one of the refused run.
 */
export async function printDryRun(
  runs: ProjectRuns,
  request: DryRunRequest,
  context: ProcessContext,
): Promise<ExitCode> {
  const findings = await prepareDryRun(runs, request, context)
  const code = codeOf(findings.problems[0])
  const report = buildDryRunReport(runs, findings, { ...request, code }, context)
  context.stdout.write(maskSecrets(reportText(report, request.driving, context.directory)))
  return code
}

function codeOf(first: DryRunProblem | undefined): ExitCode {
  if (first === undefined) return exitCode.fine
  if (first.code === "USAGE" || (first.code !== null && isUsageCode(first.code))) return exitCode.usage
  return first.code === "UNTRUSTED" || first.code === "TRUST_CHANGED" ? exitCode.untrusted : exitCode.problems
}

function reportText(report: DryRunReport, { print }: Driving, base: string): string {
  if (print === "text") return describeDryRun(report, base)
  return print === "json" ? writeJsonText(report) : `${escapeJson(JSON.stringify(report))}\n`
}
