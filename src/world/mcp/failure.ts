/**
 * Why a server could not do what it was asked. `refused`: it was not started. `ended`: it is gone. `deadline`: it took too
 * long. `answer`: it said so itself, or its answer was none.
 */
export class ServerFailure extends Error {
  readonly type: "refused" | "ended" | "deadline" | "answer"

  constructor(type: ServerFailure["type"], message: string, cause?: unknown) {
    super(message, { cause })
    this.type = type
  }
}
