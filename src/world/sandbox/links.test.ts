import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { keepLinks } from "./links.ts"
import { watchDefinitions } from "./watch-definitions.ts"

let root = ""
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "links-"))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const at = (name: string) => path.join(root, name)
const aside = (places: readonly string[]) =>
  places.map((place) => path.relative(root, place).replace(/-[0-9a-f]{8}$/, "-X"))

describe("a protected link", () => {
  const keep = () => {
    fs.symlinkSync("there", at("link"))
    fs.writeFileSync(at("file"), "x")
    return keepLinks(root, ["link", "file", "none"])
  }
  test("that is as it was stays", () => {
    const putBack = keep()
    expect([putBack(), fs.readdirSync(root).toSorted()]).toEqual([[], ["file", "link"]])
  })
  test("is put back where something else took its place, and that is moved aside", () => {
    const putBack = keep()
    fs.unlinkSync(at("link"))
    fs.writeFileSync(at("link"), "other")
    const [moved] = [putBack()]
    expect([aside(moved), fs.readlinkSync(at("link"))]).toEqual([["link.replaced-X"], "there"])
    expect(fs.readFileSync(moved[0]!, "utf8")).toBe("other")
  })
  test("is put back where it leads elsewhere", () => {
    const putBack = keep()
    fs.unlinkSync(at("link"))
    fs.symlinkSync("elsewhere", at("link"))
    expect([aside(putBack()), fs.readlinkSync(at("link"))]).toEqual([["link.replaced-X"], "there"])
  })
  test("is put back where it is gone, and nothing is told of", () => {
    const putBack = keep()
    fs.unlinkSync(at("link"))
    expect([putBack(), fs.readlinkSync(at("link"))]).toEqual([[], "there"])
  })
})

describe("a definition that a command makes", () => {
  const definitions = async () =>
    fs
      .readdirSync(root)
      .filter((name) => name.endsWith(".md"))
      .map(at)
  test("is moved aside, and those that were there stay", async () => {
    fs.writeFileSync(at("old.md"), "old")
    const takeBack = await watchDefinitions(definitions)
    fs.writeFileSync(at("old.md"), "changed")
    fs.writeFileSync(at("new.md"), "new")
    fs.symlinkSync("old.md", at("other.md"))
    const moved = await takeBack()
    expect(aside(moved).toSorted()).toEqual(["new.md.refused-X", "other.md.refused-X"])
    expect(moved.map((file) => fs.readFileSync(file, "utf8")).toSorted()).toEqual(["new", "old.md\n"])
    expect(fs.lstatSync(moved.find((file) => file.includes("other"))!).isSymbolicLink()).toBe(false)
    expect((await definitions()).map((file) => path.basename(file))).toEqual(["old.md"])
  })
  test("and is found under two names is moved once", async () => {
    let found: readonly string[] = []
    const takeBack = await watchDefinitions(async () => found)
    fs.writeFileSync(at("new.md"), "new")
    found = [at("new.md"), path.join(root, ".", "new.md")]
    expect(aside(await takeBack())).toEqual(["new.md.refused-X"])
  })
})
