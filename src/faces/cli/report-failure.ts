import { escapeLines } from "../../ground/diagnostics/escape-text.ts"
import { CadreError, messageOf, StartError } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import type { Surroundings } from "./command.ts"
import { type ExitCode, exitCode } from "./exit-code.ts"
import { placedText } from "./placed-text.ts"
import { UntrustedError } from "./trust/untrusted-error.ts"
import { UsageError } from "./usage-error.ts"

/** Tells a person what went wrong, and the shell which kind of thing it was. `help` is the command that explains. */
export function reportFailure(
  thrown: unknown,
  {
    stderr,
    environment,
    directory,
  }: Pick<Surroundings, "stderr" | "environment"> & Partial<Pick<Surroundings, "directory">>,
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
      ? (placedText(thrown, directory) ?? thrown.message)
      : messageOf(thrown)
  if (thrown instanceof UsageError)
    return { code: exitCode.usage, message: `${message}\nRun "${help}" to see how it is used.` }
  if (thrown instanceof UntrustedError || (thrown instanceof CadreError && thrown.code === "TRUST_CHANGED"))
    return { code: exitCode.untrusted, message }
  if (thrown instanceof CadreError && isOfTheLine(thrown.code))
    return { code: exitCode.usage, message: `${message} (${thrown.code})` }
  if (thrown instanceof CadreError) return { code: exitCode.problems, message: `${message} (${thrown.code})` }
  if (isOutOfFiles(thrown))
    return { code: exitCode.problems, message: `The command cannot go on: ${outOfFiles}.` }
  if (isFromSystem(thrown)) return { code: exitCode.problems, message }
  return {
    code: exitCode.fault,
    message: `${message}\nThis is a fault of cadre, not yours. CADRE_DEBUG=1 shows where it happened; please report it.`,
  }
}

/** What another command line would mend. */
export const isOfTheLine = (code: string): boolean => code === "RUN_ACTIVE" || code === "ATTACHMENT_INVALID"

/** What is wrong with settings and with files that gate says its places itself, and what follows from it. */
const isWhole = (error: CadreError): boolean =>
  !(error instanceof StartError) &&
  ["CONFIGURATION_INVALID", "HOOK_INVALID", "WORKFLOW_INVALID"].includes(error.code)

/** A file that is not there, a folder that may not be read: the message of Node names it. */
function isFromSystem(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && "code" in thrown
}
