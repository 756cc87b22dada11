/**
 * The reason why a server did not do what it was asked:
 * - `refused`: the server was not started
 * - `ended`: the server is gone
 * - `deadline`: the server took too long
 * - `changed`: the called tool is not the one that the run knows
 * - `lost`: the server had begun, and cannot be reached any more with the answer that it waited for
 * - `answer`: the server reported an error, or its answer is invalid
 */
export class ServerFailure extends Error {
  readonly type: "refused" | "ended" | "deadline" | "changed" | "lost" | "answer"

  constructor(type: ServerFailure["type"], message: string, cause?: unknown) {
    super(message, { cause })
    this.type = type
  }
}
