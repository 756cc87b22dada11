import { expect, test } from "vitest"
import { type FolderMove, findLeftTree, mapFromWorktree, mapToWorktree } from "./isolation.ts"

const one: readonly FolderMove[] = [{ from: "/repo", to: "/trees/1" }]
const two: readonly FolderMove[] = [...one, { from: "/trees/1", to: "/trees/1.1" }]

test.each<[string, readonly FolderMove[] | undefined, string]>([
  ["/repo", undefined, "/repo"],
  ["/repo", one, "/trees/1"],
  ["/repo/part", one, "/trees/1/part"],
  ["/repo/part", two, "/trees/1.1/part"],
  ["/", one, "/trees/1"],
  ["/repository", one, "/repository"],
  ["/other", two, "/other"],
])("the folder %s, moved by %j, is %s", (folder, moved, expected) => {
  expect(mapToWorktree(folder, moved)).toBe(expected)
})

test.each<[string, readonly FolderMove[] | undefined, readonly string[]]>([
  ["/trees/1/a", undefined, []],
  ["/trees/1/a", one, ["/repo/a"]],
  ["/trees/1.1/a", two, ["/trees/1/a", "/repo/a"]],
  ["/trees/1", one, ["/repo"]],
  ["/trees/10/a", one, []],
  ["/repo/a", one, []],
])("the path %s, moved by %j, was called %j", (place, moved, expected) => {
  expect(mapFromWorktree(place, moved)).toEqual(expected)
})

test.each<[string, readonly FolderMove[] | undefined, string | undefined]>([
  ["/repo/a", undefined, undefined],
  ["/repo/a", one, "/repo"],
  ["/trees/1/a", one, undefined],
  ["/trees/1/a", two, "/trees/1"],
  ["/repo", two, "/repo"],
  ["/other", two, undefined],
])("the path %s, moved by %j, lies in the tree %s that was left", (place, moved, expected) => {
  expect(findLeftTree(place, moved)?.from).toBe(expected)
})
