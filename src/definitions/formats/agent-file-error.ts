import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError, type ErrorCode } from "../../ground/errors.ts"

/** A definition that cannot be used, with all its findings. `begin` is the beginning of the message. */
export class AgentFileError extends CadreError {
  override readonly diagnostics: readonly Diagnostic[]
  readonly begin: string

  constructor(diagnostics: readonly Diagnostic[], code: ErrorCode = "AGENT_INVALID", begin = "") {
    const errors = diagnostics.filter(({ severity }) => severity === "error")
    super(code, begin + (errors.length > 0 ? errors : diagnostics).map(describe).join("\n"))
    this.diagnostics = diagnostics
    this.begin = begin
  }
}

const describe = ({ message, file, range: { start } }: Diagnostic): string =>
  `${message} (${file === undefined ? "" : `${file}:`}${start.line}:${start.column})`
