import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { RunHead } from "../../../run/log/store.ts"
import { heldClaims } from "./endpoint.ts"
import { RunKeys } from "./keys.ts"
import { readThisProcess } from "./owner.ts"

let folder = ""
let statuses: Record<string, RunHead["status"]> = {}
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-keys-"))
  statuses = {}
})
afterEach(() => {
  heldClaims.clear()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** No process listens on this socket, so the owner is dead unless this process holds its claims. */
const owner = {
  ...readThisProcess(),
  pid: 2 ** 22 + 5,
  host: "h",
  socket: path.join(os.tmpdir(), "none"),
  place: "",
}
const keys = () => new RunKeys(path.join(folder, "keys"), async (run) => statuses[run])
const names = () => {
  const [key] = fs.readdirSync(path.join(folder, "keys"))
  return fs.readdirSync(path.join(folder, "keys", key!)).toSorted((one, other) => Number(one) - Number(other))
}
const newest = () => {
  const [key] = fs.readdirSync(path.join(folder, "keys"))
  return path.join(folder, "keys", key!, names().at(-1)!)
}

test("a key is held by one run while that is open", async () => {
  const one = keys()
  expect(await one.holder("k")).toBeUndefined()
  expect(await one.hold("a", "k", owner)).toBe("held")
  statuses = { a: "open" }
  expect(await one.hold("b", "k", owner)).toEqual({ run: "a" })
  expect(await one.holder("k")).toBe("a")
  expect(await one.hold("b", "other", owner)).toBe("held")
  statuses = { a: "ended", b: "open" }
  expect(await one.holder("k")).toBeUndefined()
  expect(await one.hold("b", "k", owner)).toBe("held")
  expect(await one.holder("k")).toBe("b")
})

test("the same run may hold it again", async () => {
  const one = keys()
  statuses = { a: "open" }
  expect([await one.hold("a", "k", owner), await one.hold("a", "k", owner)]).toEqual(["held", "held"])
})

test("a run that is about to be created is known to whoever asks, until it is", async () => {
  const one = keys()
  await one.hold("a", "k", owner)
  expect([...heldClaims.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{24}$/)])
  expect(JSON.parse(fs.readFileSync(newest(), "utf8"))).toEqual({
    run: "a",
    owner: { ...owner, nonce: [...heldClaims.keys()][0] },
  })
  await one.hold("a", "other", owner)
  expect(heldClaims.size).toBe(1)
  one.created("a")
  expect(heldClaims.size).toBe(0)
})

test("whoever finds a key taken is about to create nothing", async () => {
  const one = keys()
  statuses = { a: "open" }
  await one.hold("a", "k", owner)
  one.created("a")
  await one.hold("b", "k", owner)
  expect(heldClaims.size).toBe(0)
})

test("all that was about to be created is forgotten at the end", async () => {
  const one = keys()
  await one.hold("a", "k", owner)
  await one.hold("b", "l", owner)
  expect(heldClaims.size).toBe(2)
  one.close()
  expect(heldClaims.size).toBe(0)
})

describe("a holder without a log", () => {
  test("counts while its process may be alive", async () => {
    const one = keys()
    await one.hold("a", "k", { ...owner, machine: "another", boot: "another" })
    expect([await one.holder("k"), await one.hold("b", "k", owner)]).toEqual(["a", { run: "a" }])
    // Once there is a log, it alone decides.
    statuses = { a: "ended" }
    expect(await one.holder("k")).toBeUndefined()
  })

  test("does not where that is dead, unless its log came meanwhile", async () => {
    await keys().hold("a", "k", owner)
    expect(await keys().holder("k")).toBeUndefined()
    let looks = 0
    const late = (status: RunHead["status"]) =>
      new RunKeys(path.join(folder, "keys"), async () => (looks++ % 2 === 0 ? undefined : status))
    expect([await late("open").holder("k"), await late("ended").holder("k")]).toEqual(["a", undefined])
  })

  test("does not where nobody knows whose it is", async () => {
    await keys().hold("a", "k", owner)
    fs.writeFileSync(newest(), JSON.stringify({ run: "a", owner: { pid: 0 } }))
    expect(await keys().holder("k")).toBeUndefined()
  })
})

test("a key that was let go of is free, and only its holder lets go of it", async () => {
  const one = keys()
  statuses = { a: "open", b: "open" }
  await one.hold("a", "k", owner)
  one.letGo("b", "k")
  expect([await one.holder("k"), names(), heldClaims.size]).toEqual(["a", ["1"], 1])
  one.letGo("a", "k")
  expect([await one.holder("k"), names(), heldClaims.size]).toEqual([undefined, ["1", "2"], 0])
  one.letGo("a", "k")
  expect(names()).toEqual(["1", "2"])
  expect(await one.hold("b", "k", owner)).toBe("held")
})

test("old numbers are removed, and the last sixteen kept", async () => {
  const one = keys()
  for (let time = 1; time <= 18; time++) await one.hold("a", "k", owner)
  expect(names()).toEqual(Array.from({ length: 16 }, (_, index) => String(index + 3)))
})

test("a run that looked for long gets no number that was used and removed meanwhile", async () => {
  const one = keys()
  await one.hold("a", "k", owner)
  statuses = { a: "ended", c: "open" }
  let looks = 0
  const slow = new RunKeys(path.join(folder, "keys"), async (run) => {
    if (looks++ === 0) for (let time = 2; time <= 18; time++) await one.hold("c", "k", owner)
    return statuses[run]
  })
  expect(await slow.hold("b", "k", owner)).toEqual({ run: "c" })
  expect(names()).toEqual(Array.from({ length: 16 }, (_, index) => String(index + 3)))
})

test("what else lies there is no number, and damage holds nothing", async () => {
  statuses = { a: "open", b: "open" }
  await keys().hold("a", "k", owner)
  const beside = path.dirname(newest())
  fs.writeFileSync(path.join(beside, "99x"), "")
  fs.writeFileSync(path.join(beside, "temporary.7"), "")
  expect(await keys().holder("k")).toBe("a")
  for (const damaged of ["{", '{"run":7}', "{}"]) {
    fs.writeFileSync(path.join(beside, "1"), damaged)
    expect(await keys().holder("k")).toBeUndefined()
  }
  expect(await keys().hold("b", "k", owner)).toBe("held")
  expect(fs.statSync(path.join(beside, "2")).mode & 0o777).toBe(0o600)
  fs.rmSync(path.join(beside, "2"))
  fs.mkdirSync(path.join(beside, "2"))
  await expect(keys().holder("k")).rejects.toThrow("EISDIR")
})
