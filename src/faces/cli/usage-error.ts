/** The command line is wrong. The message says how; `reportFailure` adds the help command. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
