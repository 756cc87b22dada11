/** A file of the project is not trusted, or has changed. The message names the file and says what to do. */
export class UntrustedError extends Error {
  override readonly name = "UntrustedError"
}
