import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../../../test/file-kit.ts"
import { resolveRealPath, resolveWriteTarget, withoutLinks, withoutLinksAbove } from "./without-links.ts"

const world = fs.realpathSync(temporaryFolder({ "work/a.txt": "a", "other/b/c.txt": "c" }))
const link = (name: string, target: string) => fs.symlinkSync(target, path.join(world, "work", name))
link("file", "a.txt")
link("folder", "../other/b")
link("absolute", path.join(world, "other"))
link("nothing", "../other/none")
link("chain", "nothing")
link("round", "round")

/** By name: the results of the four functions, from the real path to the place of a write. */
test.each([
  ["work/a.txt", "work/a.txt", "work/a.txt", "work/a.txt", "work/a.txt"],
  ["work/", "work", "work", "work", "work"],
  ["work/../other/b", "other/b", "other/b", "other/b", "other/b"],
  ["work/file", "work/a.txt", "work/a.txt", "work/a.txt", "work/a.txt"],
  ["work/folder", "other/b", "other/b", "other/b", "other/b"],
  ["work/folder/c.txt", "other/b/c.txt", "other/b/c.txt", "other/b/c.txt", "other/b/c.txt"],
  ["work/absolute/b", "other/b", "other/b", "other/b", "other/b"],
  // The tail is missing.
  ["work/none", undefined, "work/none", "work/none", "work/none"],
  ["work/none/deep/", undefined, "work/none/deep", "work/none/deep", "work/none/deep"],
  ["work/folder/..foo", undefined, "work/folder/..foo", "other/b/..foo", "other/b/..foo"],
  ["work/folder/none/deep", undefined, "work/folder/none/deep", "other/b/none/deep", "other/b/none/deep"],
  // A file is in the way.
  ["work/a.txt/deep", undefined, "work/a.txt/deep", "work/a.txt/deep", "work/a.txt/deep"],
  // The link exists, and its target does not.
  ["work/nothing", undefined, "work/nothing", "work/nothing", "other/none"],
  ["work/chain", undefined, "work/chain", "work/chain", "other/none"],
  ["work/nothing/deep", undefined, "work/nothing/deep", "work/nothing/deep", "other/none/deep"],
  ["work/round", undefined, "work/round", "work/round", "work/round"],
] as const)("%s", (place, real, written, above, made) => {
  const at = (name: string | undefined) => (name === undefined ? undefined : path.join(world, name))
  const given = world + path.sep + place
  expect([
    resolveRealPath(given),
    withoutLinks(given),
    withoutLinksAbove(given),
    resolveWriteTarget(given),
  ]).toEqual([real, written, above, made].map(at))
})

test("the root of all is itself", () => {
  const { root } = path.parse(world)
  expect([
    resolveRealPath(root),
    withoutLinks(root),
    withoutLinksAbove(root),
    resolveWriteTarget(root),
  ]).toEqual(Array(4).fill(root))
})
