import type { Json } from "../../ground/message.ts"
import { mayFallBack } from "../decide/apply-children.ts"
import type { RunResult } from "../drive/proof.ts"
import type { Bus } from "../log/bus.ts"
import type { LiveEvent, RunEvent } from "../log/event.ts"
import { nextRunId, parentOf } from "../log/id.ts"
import type { Store } from "../log/store.ts"
import { upcast } from "../log/upcast.ts"

/**
 * A run in motion. Iterating gives the events of the whole tree, text of children included: first what is recorded
 * already, then what happens, until the run ends or rests. Where it fails and a fallback gets its task, that run's events
 * follow, under its own id. Not iterating costs nothing.
 */
export interface RunHandle<Value = Json> extends AsyncIterable<LiveEvent> {
  readonly id: string
  /** Rejects only where nothing could be recorded or the run could not start; every other end is a result. */
  readonly done: Promise<RunResult<Value>>
  cancel(reason?: string): Promise<void>
}

export function createHandle(parts: {
  id: string
  store: Store
  bus: Bus
  done: Promise<RunResult>
  cancel: (reason?: string) => Promise<void>
}): RunHandle {
  const { id, store, bus, done, cancel } = parts
  // A caller may only iterate; a failure then surfaces there and must not also end the process.
  done.catch(() => {})
  return { id, done, cancel, [Symbol.asyncIterator]: () => watch(id, store, bus, done) }
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
  /** The run, and whoever has its task after it, with what ends listening to them. */
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
      const events: readonly RunEvent[] = await recorded(store, next)
      next = events.map(successorIn).find((run) => run !== undefined)
      if (next !== undefined) follow(next)
      for (const event of events) {
        seen.set(event.run, event.seq)
        yield event
      }
    }
    for (;;) {
      const ended = over
      for (const event of queue.splice(0))
        if (!("seq" in event) || event.seq > (seen.get(event.run) ?? -1)) yield event
      if (ended && queue.length === 0) break
      if (queue.length > 0 || over) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = undefined
    }
    await done
  } finally {
    for (const unsubscribe of roots.values()) unsubscribe()
  }
}

/** Who would have the task of a root after this event; whether there is anybody shows when they begin. */
const successorIn = (event: LiveEvent): string | undefined =>
  event.type === "run-end" && parentOf(event.run) === undefined && mayFallBack(event.outcome)
    ? nextRunId(event.run, event.at)
    : undefined

/** The events of a whole tree so far, in the order of their times. */
async function recorded(store: Store, root: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const { run } of store.list({ root }))
    for await (const stored of store.read(run)) {
      const event = upcast(stored)
      if (event) events.push(event)
    }
  return events.sort((left, right) => left.at - right.at)
}
