import path from "node:path"
import { expect, test } from "vitest"
import { isBelow, isInside } from "./inside.ts"

const isPosix = path.sep === "/"

test.skipIf(!isPosix).each([
  ["a file in it", "/work", "/work/a", "below"],
  ["deep in it", "/work", "/work/a/b/c", "below"],
  ["the folder itself", "/work", "/work", "itself"],
  ["the folder with a separator behind it", "/work/", "/work", "itself"],
  ["the place with a separator behind it", "/work", "/work/", "itself"],
  ["both with separators behind them", "/work/", "/work/a/", "below"],
  ["a folder whose name begins like it", "/work", "/work-evil/a", "outside"],
  ["the folder above it", "/work/a", "/work", "outside"],
  ["another folder", "/work", "/home", "outside"],
  ["a name that begins with two dots", "/work", "/work/..foo", "below"],
  ["a name of three dots", "/work", "/work/.../a", "below"],
  ["out of it by dots", "/work", "/work/../home", "outside"],
  ["out of it and back", "/work", "/work/../work/a", "below"],
  ["the folder above it by dots", "/work", "/work/..", "outside"],
  ["it with dots of its own", "/home/../work", "/work/a", "below"],
  ["doubled separators", "/work", "//work//a", "below"],
  ["anything in the root of all", "/", "/work", "below"],
  ["the root of all in itself", "/", "/", "itself"],
  ["the root of all in a folder", "/work", "/", "outside"],
  ["a name with a line break", "/work", "/work/\na", "below"],
  ["names that differ in case", "/work", "/Work/a", "outside"],
] as const)("%s: %j and %j", (_, folder, place, found) => {
  expect([isInside(folder, place), isBelow(folder, place)]).toEqual([found !== "outside", found === "below"])
})

test("what is relative is so to the working directory", () => {
  expect([isInside(".", "a"), isBelow(".", "."), isInside("a", path.resolve("a/b"))]).toEqual([
    true,
    false,
    true,
  ])
})
