import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { scripted } from "../named-models.ts"

// Without the kit, which loads the engine before any run.
const open = () => {
  const store = memoryStore()
  const runtime = openRuntime({
    store,
    agents: [defineAgent({ name: "a", instructions: "x" })],
    models: scripted({ a: [{ text: "one" }, { text: "two" }, { text: "three" }] }),
  })
  return { store, runtime }
}

const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => "done",
    ({ code }) => code,
  )

test("runs that begin in one step, before what drives them has loaded, all end", async () => {
  const { runtime } = open()
  const handles = [1, 2, 3].map((number) => runtime.run("a", `go ${number}`))
  const ended = await Promise.all(handles.map(({ done }) => done))
  expect(ended.map(({ outcome }) => outcome)).toEqual(handles.map(() => ({ type: "completed" })))
  expect(ended.map(({ run }) => run)).toEqual(handles.map(({ id }) => id))
})

test("a run that is cancelled before what drives it has loaded is cancelled", async () => {
  const { runtime } = open()
  const handle = runtime.run("a", "go")
  await handle.cancel("enough")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
})

test("a run whose signal was aborted before what drives it has loaded is cancelled", async () => {
  const { runtime } = open()
  const stop = new AbortController()
  const handle = runtime.run("a", "go", { signal: stop.signal })
  stop.abort()
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "its signal was aborted" })
})

test("a runtime that is closed before what drives its runs has loaded leaves none at work", async () => {
  const { runtime } = open()
  const handle = runtime.run("a", "go")
  const ended = codeOf(handle.done)
  await runtime.close()
  expect(await ended).toBe("STORE_FAILED")
})

test("a runtime that has driven nothing takes letters and closes", async () => {
  const { store, runtime } = open()
  const handle = runtime.run("a", "go")
  await handle.done
  const other = openRuntime({ store, agents: [], models: scripted({}) })
  expect(await codeOf(other.send(handle.id, "more"))).toBe("RUN_ENDED")
  expect(await other.cancel(handle.id)).toBe("recorded")
  await other.close()
  expect(await codeOf(other.read(handle.id))).toBe("STORE_FAILED")
})
