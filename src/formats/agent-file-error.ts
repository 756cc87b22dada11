import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { CadreError, type ErrorCode } from "../errors.ts"

/** A definition that was asked for in code and cannot be used, with everything that was found in it. */
export class AgentFileError extends CadreError {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[], code: ErrorCode = "AGENT_INVALID") {
    const errors = diagnostics.filter(({ severity }) => severity === "error")
    super(code, (errors.length > 0 ? errors : diagnostics).map(describe).join("\n"))
    this.diagnostics = diagnostics
  }
}

const describe = ({ message, file, range: { start } }: Diagnostic): string =>
  `${message} (${file === undefined ? "" : `${file}:`}${start.line}:${start.column})`
