import type { Json } from "../../ground/message.ts"
import { mayTryFallback } from "../decide/apply-children.ts"
import type { RunResult } from "../drive/proof.ts"
import type { Bus } from "../log/bus.ts"
import type { LiveEvent, RunEvent } from "../log/event.ts"
import { computeNextRunId, findParentRun } from "../log/id.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"

/**
 * A run in motion. Iterating gives the events of the whole tree, with the text of children. Recorded events come first,
 * then live ones, until the run ends or rests. Where the run fails and a fallback gets its task, the events of that run
 * follow, under its own id. Not iterating costs nothing.
 */
export interface RunHandle<Value = Json> extends AsyncIterable<LiveEvent> {
  /** The id of the run, known before it starts. Use it to resume, read or cancel the run later. */
  readonly id: string
  /** Rejects only where the run could not start or could not be recorded. Every other end is a result. */
  readonly done: Promise<RunResult<Value>>
  /** Stops the run, everything below it and any fallback. `done` resolves when they have stopped. */
  cancel(reason?: string): Promise<void>
  /**
   * Lets go of the run: what is in flight is stopped, the claim is released, and the run stays open. `done` resolves
   * with the status `open`. Any process can resume the run. `cancel` ends it.
   */
  letGo(reason?: string): Promise<void>
}

export function createHandle(parts: {
  id: string
  store: Store
  bus: Bus
  done: Promise<RunResult>
  cancel: (reason?: string) => Promise<void>
  letGo: (reason?: string) => Promise<void>
}): RunHandle {
  const { id, store, bus, done, cancel, letGo } = parts
  // A caller that only iterates gets the failure there. It must not also end the process.
  done.catch(() => {})
  return { id, done, cancel, letGo, [Symbol.asyncIterator]: () => watch(id, store, bus, done) }
}

async function* watch(
  root: string,
  store: Store,
  bus: Bus,
  done: Promise<RunResult>,
): AsyncGenerator<LiveEvent, void> {
  const queue: LiveEvent[] = []
  let wake: (() => void) | undefined
  let over = false
  /** The run and the fallbacks that had its task after it, each with the function that stops listening to it. */
  const roots = new Map<string, () => void>()
  const follow = (root: string): void => {
    if (roots.has(root)) return
    const unsubscribe = bus.subscribe(root, (event) => {
      queue.push(event)
      const next = successorIn(event)
      if (next !== undefined) follow(next)
      wake?.()
    })
    roots.set(root, unsubscribe)
  }
  const finish = () => {
    over = true
    wake?.()
  }
  done.then(finish, finish)
  follow(root)
  try {
    const seen = new Map<string, number>()
    for (let next: string | undefined = root; next !== undefined; ) {
      const events: readonly RunEvent[] = await readEvents(store, next)
      next = events.map(successorIn).find((run) => run !== undefined)
      if (next !== undefined) follow(next)
      for (const event of events) {
        seen.set(event.run, event.seq)
        yield event
      }
    }
    for (;;) {
      const wasOver = over
      for (const event of queue.splice(0))
        if (!("seq" in event) || event.seq > (seen.get(event.run) ?? -1)) yield event
      if (wasOver && queue.length === 0) break
      if (queue.length > 0 || over) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    await done
  } finally {
    for (const unsubscribe of roots.values()) unsubscribe()
  }
}

/** The id that a fallback of this root would have. The fallback exists only if it begins. */
const successorIn = (event: LiveEvent): string | undefined =>
  event.type === "run-end" && findParentRun(event.run) === undefined && mayTryFallback(event.outcome)
    ? computeNextRunId(event.run, event.at)
    : undefined

/** The events of a whole tree so far, ordered by time. */
async function readEvents(store: Store, root: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const { run } of store.list({ root }))
    for await (const stored of store.read(run)) {
      const event = upcast(stored)
      if (event) events.push(event)
    }
  return events.sort((left, right) => left.at - right.at)
}
