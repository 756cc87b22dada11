/** The command line is wrong: the message says how, and the shell of the command line adds where to get help. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
