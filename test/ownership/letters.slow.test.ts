import fs from "node:fs"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Letter } from "../../src/run/log/store.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { event, killAll, newRun, owned, temporaryFolder, Worker } from "./harness.ts"

const base = temporaryFolder()
afterAll(async () => {
  await killAll()
  fs.rmSync(base, { recursive: true, force: true })
})

test("a letter from another process reaches the owner at once, and outlives both", async () => {
  const directory = path.join(base, "letters")
  const root = newRun()
  const store = jsonlStore({ directory })
  await store.create(event(root, 0))
  const sender = new Worker({ directory })
  expect(await sender.call("send", root, "early")).toBe("waiting")
  const claim = await owned(store, root)
  const received: Letter[] = []
  const controller = new AbortController()
  const receiving = (async () => {
    for await (const letter of store.receive(claim, controller.signal)) {
      received.push(letter)
      if (letter.key === "early") letter.ack()
    }
  })()
  expect(await sender.call("send", root, "late")).toBe("delivered")
  await expect.poll(() => received.map(({ key }) => key)).toEqual(["early", "late"])
  await expect(sender.call("send", `${root}.1`, "nobody")).rejects.toMatchObject({ code: "RUN_UNKNOWN" })
  controller.abort()
  await receiving
  // As after a crash: what was acknowledged may come again, what was not must.
  const next = await owned(jsonlStore({ directory }), root, { force: true })
  expect(next.epoch).toBe(claim.epoch + 1)
  await sender.kill()
})

test("letters of a killed owner wait for the next one", async () => {
  const directory = path.join(base, "killed")
  const root = newRun()
  const owner = new Worker({ directory })
  await owner.call("create", event(root, 0))
  await owner.call("claim", root)
  expect(await owner.call("send", root, "own")).toBe("delivered")
  await owner.kill()
  const store = jsonlStore({ directory })
  expect(await store.send({ run: root, key: "after", at: 1, body: { type: "test" } })).toBe("waiting")
  const claim = await owned(store, root)
  const keys: string[] = []
  for await (const { key } of store.receive(claim, new AbortController().signal))
    if (keys.push(key) === 2) break
  expect(keys).toEqual(["own", "after"])
  await store.close()
})

test("20, 29: a sender's unfinished line and strange text spoil no other letter", async () => {
  const directory = path.join(base, "torn")
  const root = newRun()
  const damage: string[] = []
  const store = jsonlStore({ directory, onDamage: ({ message }) => damage.push(message) })
  await store.create(event(root, 0))
  fs.appendFileSync(path.join(directory, root, "inbox.jsonl"), '{"crc":"00000000","run":"half')
  const strange: Letter = { run: root, key: "\u0000 \ud800 \u2028\n", at: 1, body: { type: "test" } }
  await store.send(strange)
  const claim = await owned(store, root)
  for await (const { ack, ...letter } of store.receive(claim, new AbortController().signal)) {
    expect(letter).toEqual(strange)
    ack()
    break
  }
  expect(damage.length).toBe(1)
  await store.close()
})
