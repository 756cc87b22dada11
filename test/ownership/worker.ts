/** A process of its own with a store: does what it is told over the channel, one message at a time. */
import fs from "node:fs"
import { setTimeout } from "node:timers/promises"
import type { Claim, StoredEvent } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

const [directory = "", mode = "serve", root = ""] = process.argv.slice(2)
const store = jsonlStore({ directory })
const event = (run: string, seq: number, extra: object = {}): StoredEvent => ({
  run,
  seq,
  at: seq,
  v: 1,
  type: "test",
  ...extra,
})

const commands: { readonly [name: string]: (...given: never[]) => unknown } = {
  create: (first: StoredEvent) => store.create(first),
  claim: (run: string, options?: { force?: true }) => store.claim(run, options),
  append: (claim: Claim, events: StoredEvent[], options?: { sync?: true }) =>
    store.append(claim, events, options),
  hold: (run: string, key: string) => store.hold(run, key),
  release: (claim: Claim) => store.release(claim),
  send: (run: string, key: string) => store.send({ run, key, at: 1, body: { type: "test" } }),
  async read(run: string) {
    const events: StoredEvent[] = []
    for await (const stored of store.read(run)) events.push(stored)
    return events
  },
  /** Writes the number of every acknowledged event to a ledger, for ever. */
  async write(claim: Claim, ledger: string) {
    const descriptor = fs.openSync(ledger, "a")
    for (let seq = 1; ; seq++) {
      const answer = await store.append(claim, [event(claim.run, seq), event(`${claim.run}.1`, seq)])
      if (answer !== "ok") return answer
      fs.writeSync(descriptor, `${seq}\n`)
      if (seq % 20 === 0) await setTimeout(1)
    }
  },
  /** Appends until the disk is full; answers what was acknowledged. */
  async fill(claim: Claim, from: number) {
    for (let seq = from; ; seq++)
      try {
        await store.append(
          claim,
          [event(claim.run, seq, { text: "x".repeat(1000) })],
          seq % 2 ? { sync: true } : undefined,
        )
      } catch (error) {
        return { next: seq, code: (error as { code?: string }).code, message: (error as Error).message }
      }
  },
  setClock(offset: number) {
    const { now } = Date
    Date.now = () => now() + offset
    const { now: precise } = performance
    performance.now = () => precise.call(performance) + offset
  },
  writeFile: (file: string, size: number) => fs.writeFileSync(file, Buffer.alloc(size, 1)),
  removeFile: (file: string) => fs.rmSync(file),
  close: () => store.close(),
}

if (mode === "serve") {
  process.on("message", async ({ id, name, given }: { id: number; name: string; given: never[] }) => {
    try {
      process.send?.({ id, value: await commands[name]!(...given) })
    } catch (error) {
      process.send?.({ id, error: { code: (error as { code?: string }).code, message: String(error) } })
    }
  })
  process.send?.({ id: 0 })
}

/** Starts up, works a little and begins again, until it is killed. */
if (mode === "restart") {
  process.send?.({ id: 0 })
  for (let round = 0; ; round++) {
    const again = jsonlStore({ directory })
    await again.create(event(root, 0))
    const claim = await again.claim(root)
    if ("type" in claim) throw new Error(JSON.stringify(claim))
    let seq = 0
    for await (const stored of again.read(root)) seq = stored.seq + 1
    await again.append(claim, [event(root, seq), event(root, seq + 1)], { sync: true })
    process.send?.({ id: 1, value: seq + 1 })
    if (round % 2) await again.release(claim)
    await again.close()
  }
}

/** Holds a tree and has nothing more to do: the process must end by itself. */
if (mode === "end") {
  await store.create(event(root, 0))
  await store.claim(root)
}
