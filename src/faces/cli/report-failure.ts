import { escapeLines } from "../../ground/diagnostics/escape-text.ts"
import { CadreError, describeThrown, StartError } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import type { ProcessContext } from "./command.ts"
import { type ExitCode, exitCode } from "./exit-code.ts"
import { InterruptedError } from "./interrupted-error.ts"
import { describePlacedProblems } from "./placed-text.ts"
import { UntrustedError } from "./trust/untrusted-error.ts"
import { UsageError } from "./usage-error.ts"

/** Prints an error and returns its exit code. `help` is the help command that a usage error refers to. */
export function reportFailure(
  thrown: unknown,
  {
    stderr,
    environment,
    directory,
  }: Pick<ProcessContext, "stderr" | "environment"> & Partial<Pick<ProcessContext, "directory">>,
  help = "cadre --help",
): ExitCode {
  const { code, message } = verdict(thrown, help, directory)
  const isDebugging = environment.CADRE_DEBUG === "1"
  const stack = isDebugging && thrown instanceof Error ? `\n${thrown.stack}` : ""
  stderr.write(`cadre: ${escapeLines(message + stack)}\n`)
  return code
}

function verdict(
  thrown: unknown,
  help: string,
  directory: string | undefined,
): { readonly code: ExitCode; readonly message: string } {
  const message =
    thrown instanceof CadreError && !isWhole(thrown)
      ? (describePlacedProblems(thrown, directory) ?? thrown.message)
      : describeThrown(thrown)
  if (thrown instanceof UsageError)
    return { code: exitCode.usage, message: `${message}\nRun "${help}" for help.` }
  if (thrown instanceof InterruptedError) return { code: thrown.exitCode, message }
  if (thrown instanceof UntrustedError || (thrown instanceof CadreError && thrown.code === "TRUST_CHANGED"))
    return { code: exitCode.untrusted, message }
  if (thrown instanceof CadreError && isUsageCode(thrown.code))
    return { code: exitCode.usage, message: `${message} (${thrown.code})` }
  if (thrown instanceof CadreError) return { code: exitCode.problems, message: `${message} (${thrown.code})` }
  if (isOutOfFiles(thrown))
    return { code: exitCode.problems, message: `The command cannot continue: ${outOfFiles}.` }
  if (isFromSystem(thrown)) return { code: exitCode.problems, message }
  return {
    code: exitCode.fault,
    message: `${message}\nThis is a bug in cadre. Set CADRE_DEBUG=1 to see where it happened, and please report it.`,
  }
}

/** True if a different command line would avoid the error. */
export const isUsageCode = (code: string): boolean => code === "RUN_ACTIVE" || code === "ATTACHMENT_INVALID"

/** True if the message already has all places, as with errors in settings, hook files and workflow files. */
const isWhole = (error: CadreError): boolean =>
  !(error instanceof StartError) &&
  ["CONFIGURATION_INVALID", "HOOK_INVALID", "WORKFLOW_INVALID"].includes(error.code)

/** Whether the operating system refused something, such as a missing file. Node's message names the file. */
function isFromSystem(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && "code" in thrown
}
