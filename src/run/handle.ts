import type { Json } from "../message.ts"
import type { Bus } from "./bus.ts"
import type { LiveEvent, RunEvent } from "./event.ts"
import type { RunResult } from "./proof.ts"
import type { Store } from "./store.ts"
import { upcast } from "./upcast.ts"

/**
 * A run in motion. Iterating gives the events of the whole tree, text of children included: first what is recorded
 * already, then what happens, until the run ends or rests. Not iterating costs nothing.
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
  const unsubscribe = bus.subscribe(root, (event) => {
    queue.push(event)
    wake?.()
  })
  const finish = () => {
    over = true
    wake?.()
  }
  done.then(finish, finish)
  try {
    const seen = new Map<string, number>()
    for (const event of await recorded(store, root)) {
      seen.set(event.run, event.seq)
      yield event
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
    unsubscribe()
  }
}

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
