import { AsyncLocalStorage } from "node:async_hooks"
import { describeThrown } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"

/**
 * Foreign code may leave promises behind. When one rejects, Node ends the process with every run in it. With this listener
 * only the run that owns the promise fails. All runtimes share it: a rejection carries the context of its owner.
 */
const owners = new AsyncLocalStorage<StrayOwner>()
let users = 0

export interface StrayOwner {
  /** A promise that the code of this owner left behind has rejected. */
  stray(error: unknown): void
}

/** The reason of a run that fails because of a promise that was left behind. */
export const describeStray = (error: unknown): string =>
  isOutOfFiles(error) ? outOfFiles : `a promise that was not awaited failed: ${describeThrown(error)}`

/** Begins to listen. Returns a function that stops it. */
export function containStrays(): () => void {
  if (users++ === 0) process.on("unhandledRejection", onRejection)
  return () => {
    if (--users === 0) process.off("unhandledRejection", onRejection)
  }
}

/** Runs `work`. Promises that it leaves behind are told to `owner` if they reject. */
export function runOwned<Inputs extends unknown[], Value>(
  owner: StrayOwner,
  work: (...inputs: Inputs) => Value,
  ...inputs: Inputs
): Value {
  return users === 0 ? work(...inputs) : owners.run(owner, work, ...inputs)
}

function onRejection(error: unknown): void {
  const owner = owners.getStore()
  if (owner) owner.stray(error)
  // The promise belongs to no run. It ends the process as it would without us, unless another listener is there.
  else if (process.listenerCount("unhandledRejection") === 1) throw error
}
