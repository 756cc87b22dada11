import { AsyncLocalStorage } from "node:async_hooks"

/**
 * Promises that foreign code leaves behind. When one rejects, Node ends the process, and every run in it; what runs in
 * here fails alone. One listener for all runtimes: a rejection says in whose context it was made.
 */
const owners = new AsyncLocalStorage<Owner>()
let users = 0

export interface Owner {
  /** Something that its code left behind has failed. */
  stray(error: unknown): void
}

/** Begins to listen; the result stops it. */
export function containStrays(): () => void {
  if (users++ === 0) process.on("unhandledRejection", heard)
  return () => {
    if (--users === 0) process.off("unhandledRejection", heard)
  }
}

/** What `work` leaves behind is told to `owner` if it rejects. */
export function owned<Given extends unknown[], Value>(
  owner: Owner,
  work: (...given: Given) => Value,
  ...given: Given
): Value {
  return users === 0 ? work(...given) : owners.run(owner, work, ...given)
}

function heard(error: unknown): void {
  const owner = owners.getStore()
  if (owner) owner.stray(error)
  // Not of ours: it ends the process as it would have without us, unless somebody else listens.
  else if (process.listenerCount("unhandledRejection") === 1) throw error
}
