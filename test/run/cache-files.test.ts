import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { fileCache } from "../../src/world/cache/file-cache.ts"
import { folder, twice } from "./cache-kit.ts"

describe("a cache of files", () => {
  const put = async (at: string) => {
    const [first] = await twice({}, {}, fileCache(at))
    const [name, ...others] = fs.readdirSync(at)
    expect(others).toEqual([])
    return { first: first!, file: path.join(at, name!) }
  }

  test("holds across processes that share the folder, in files for this user alone", async () => {
    const at = path.join(folder(), "not", "there")
    const { first, file } = await put(at)
    expect([fs.statSync(file).mode & 0o777, fs.statSync(at).mode & 0o777]).toEqual([0o600, 0o700])
    expect(JSON.parse(fs.readFileSync(file, "utf8")).result).toEqual({
      run: first.run,
      at: expect.any(Number),
      output: "the answer",
    })
    const [again] = await twice({}, {}, fileCache(at))
    expect(again!.cached).toEqual({ run: first.run })
  })

  const damage: Readonly<Record<string, (text: string) => string>> = {
    "is cut": (text) => text.slice(0, 40),
    "is empty": () => "",
    "is of another key": (text) => text.replace(/"key":"./, '"key":"x'),
    "is of another shape": (text) => text.replace(/"output":"the answer"/, '"output":1'),
    "is a month old": (text) => text.replace(/"at":\d+/, '"at":1000'),
  }
  for (const [name, change] of Object.entries(damage))
    test(`a file that ${name} is not there`, async () => {
      const at = folder()
      const { file } = await put(at)
      fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")))
      const [again, then] = await twice({}, {}, fileCache(at))
      expect([again!.cached, again!.output, then!.cached]).toEqual([
        undefined,
        "the answer",
        { run: again!.run },
      ])
    })

  test("keeps the newest thousand, and nothing that a dead process left", async () => {
    const at = folder()
    for (let index = 0; index < 1_010; index++) {
      const file = path.join(at, `${index.toString(16).padStart(64, "0")}.json`)
      fs.writeFileSync(file, "{}")
      fs.utimesSync(file, Date.now() / 1_000 - 10_000 + index, Date.now() / 1_000 - 10_000 + index)
    }
    fs.writeFileSync(path.join(at, ".left"), "")
    fs.utimesSync(path.join(at, ".left"), 1, 1)
    await twice({}, {}, fileCache(at))
    const left = fs.readdirSync(at)
    expect([left.length, left.includes(".left"), left.includes(`${"0".repeat(64)}.json`)]).toEqual([
      1_000,
      false,
      false,
    ])
  })

  test("that cannot be written costs the reuse, not the run", async () => {
    const at = path.join(folder(), "file")
    fs.writeFileSync(at, "")
    const ended = await twice({}, {}, fileCache(at))
    expect(ended.map(({ outcome, cached }) => [outcome, cached])).toEqual(
      [1, 2].map(() => [{ type: "completed" }, undefined]),
    )
  })
})
