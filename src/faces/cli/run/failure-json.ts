import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"
import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { CadreError, describeThrown } from "../../../ground/errors.ts"
import type { Writer } from "../command.ts"
import { InterruptedError } from "../interrupted-error.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"
import type { Driving } from "./options.ts"

/** With --json or --jsonl, also prints an error as JSON, and then throws it on. */
export async function printFailureJson<Value>(
  { print }: Pick<Driving, "print">,
  { stdout, directory }: { readonly stdout: Writer; readonly directory: string },
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (thrown) {
    const error = toFailureJson(thrown, directory)
    if (print === "json") stdout.write(writeJsonText({ error }))
    if (print === "jsonl") stdout.write(`${escapeJson(JSON.stringify({ type: "error", error }))}\n`)
    throw thrown
  }
}

/** An error as programs read it. */
export const toFailureJson = (thrown: unknown, directory: string) => ({
  code: codeOf(thrown),
  message: describeThrown(thrown),
  ...foundIn(thrown, directory),
})

/** The findings in the form of `check --json`. */
const foundIn = (thrown: unknown, directory: string) =>
  thrown instanceof CadreError && thrown.diagnostics
    ? { diagnostics: thrown.diagnostics.map((diagnostic) => toDiagnosticJson(diagnostic, directory)) }
    : {}

function codeOf(thrown: unknown): string {
  if (thrown instanceof CadreError) return thrown.code
  if (thrown instanceof UsageError) return "USAGE"
  if (thrown instanceof InterruptedError) return "INTERRUPTED"
  return thrown instanceof UntrustedError ? "UNTRUSTED" : "FAULT"
}
