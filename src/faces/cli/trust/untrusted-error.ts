/** Something of a project was to be run that nobody has trusted: the message names it and says what to do. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError"
}
