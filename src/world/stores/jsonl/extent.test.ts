import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { countMissingBytes, describeMissingBytes, Extent, readExtent } from "./extent.ts"
import { seal } from "./line.ts"

let folder = ""
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-extent-"))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const file = () => path.join(folder, "extent")
const set = (text: string) => fs.writeFileSync(file(), text)

test("what is noted is read, and less than before is not noted", () => {
  const extent = new Extent(folder, 3)
  expect(readExtent(folder)).toBeUndefined()
  const read = [7, 1_000_000, 20, 1_000_000, 1_000_001].map((size) => {
    extent.record(size)
    return readExtent(folder)?.size
  })
  extent.close()
  expect(read).toEqual([7, 1_000_000, 1_000_000, 1_000_000, 1_000_001])
  expect(readExtent(folder)).toEqual({ epoch: 3, size: 1_000_001 })
  expect([fs.statSync(file()).size, fs.statSync(file()).mode & 0o777]).toEqual([100, 0o600])
})

test("nothing is left of a longer line", () => {
  const before = new Extent(folder, 1)
  before.record(Number.MAX_SAFE_INTEGER)
  before.close()
  const extent = new Extent(folder, 2)
  extent.record(1)
  extent.close()
  expect(fs.readFileSync(file(), "utf8")).toBe(seal('{"epoch":2,"size":1}').padEnd(100))
})

test("a file that is closed is not held open", () => {
  const descriptors = () => fs.readdirSync("/proc/self/fd").length
  if (process.platform !== "linux") return
  const before = descriptors()
  new Extent(folder, 1).close()
  expect(descriptors()).toBe(before)
})

describe("a file that says nothing", () => {
  test.each([
    ["is empty", ""],
    ["has no line", seal('{"epoch":1,"size":2}').trimEnd()],
    ["is damaged", seal('{"epoch":1,"size":2}').replace('"size":2', '"size":3')],
    ["has no epoch", seal('{"size":2}')],
    ["has no size", seal('{"epoch":1}')],
    ["has half a size", seal('{"epoch":1,"size":2.5}')],
    ["has an epoch that is no number", seal('{"epoch":"1","size":2}')],
  ])("%s", (_, text) => {
    set(text)
    expect(readExtent(folder)).toBeUndefined()
  })

  test("is not there", () => expect(readExtent(folder)).toBeUndefined())

  test("cannot be read, and that is told", () => {
    fs.mkdirSync(file())
    expect(() => readExtent(folder)).toThrow("EISDIR")
  })
})

describe("how many bytes of a log are gone", () => {
  test.each([
    [{ epoch: 2, size: 10 }, 2, 7, 3],
    [{ epoch: 2, size: 10 }, 2, 10, 0],
    [{ epoch: 2, size: 10 }, 2, 12, 0],
    [{ epoch: 1, size: 10 }, 2, 7, 0],
    [{ epoch: 3, size: 10 }, 2, 7, 0],
    [undefined, 2, 7, 0],
  ])("%j of epoch %d and size %d: %d", (extent, epoch, size, missing) =>
    expect(countMissingBytes(extent, epoch, size)).toBe(missing),
  )

  test("is told", () => expect(describeMissingBytes(3)).toMatch(/last.*3.*bytes/))
})
