import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { put, temporaryFolder } from "../../../test/file-kit.ts"
import { resolvePlace } from "./contain.ts"
import { isInside } from "./inside.ts"

const world = temporaryFolder({
  "app/a.txt": "a",
  "app/dir/b.txt": "b",
  "app/%2e%2e/x": "literal",
  "app-evil/x": "x",
  "outside/secret": "s",
  "more/m": "m",
})
const root = path.join(world, "app")
const link = (name: string, target: string) => fs.symlinkSync(target, path.join(root, name))
link("to-file", "../outside/secret")
link("to-folder", path.join(world, "outside"))
link("inside", "dir")
link("dangling", "nowhere")
link("dangling-outside", path.join(world, "outside", "new"))
link("loop-a", "loop-b")
link("loop-b", "loop-a")
link("chain-0", "a.txt")
for (let index = 1; index <= 40; index++) link(`chain-${index}`, `chain-${index - 1}`)

const bounds = { root, more: [path.join(world, "more")] }
const read = (given: string, cwd = root) => resolvePlace(bounds, cwd, given, "read")
const inside = (name: string) => ({ type: "inside", path: path.join(root, name), base: root })

test.each([
  ["a.txt", "a.txt"],
  ["./dir/../a.txt", "a.txt"],
  [".", ""],
  ["dir//b.txt", "dir/b.txt"],
  ["new/deep/file", "new/deep/file"],
  ["inside/b.txt", "dir/b.txt"],
  ["inside/new", "dir/new"],
  ["inside/../a.txt", "a.txt"],
  ["chain-5", "a.txt"],
  ["%2e%2e/x", "%2e%2e/x"],
  ["..%2f..%2fetc", "..%2f..%2fetc"],
  ["-rf", "-rf"],
  ["~backup", "~backup"],
  ["$(id) `id` 'x' \"y\"\n", "$(id) `id` 'x' \"y\"\n"],
])("%s is inside", (given, name) => {
  expect(read(given)).toEqual(inside(name).path.endsWith("/") ? inside("") : inside(name))
})

test("an absolute path and a working directory below the root", () => {
  expect(read(path.join(root, "a.txt"))).toEqual(inside("a.txt"))
  expect(read("b.txt", path.join(root, "dir"))).toEqual(inside("dir/b.txt"))
  expect(read("../a.txt", path.join(root, "inside"))).toEqual(inside("a.txt"))
})

describe("166: what only looks like the root", () => {
  test.each([
    path.join(world, "app-evil/x"),
    path.join(world, "appx"),
    `${root}/../app-evil/x`,
    `${root}/./..//x`,
    "../app-evil/x",
    "dir/../../outside/secret",
    "/",
    "/etc/passwd",
  ])("%s", (given) => {
    expect(read(given)).toMatchObject({
      type: "outside",
      reason: expect.stringContaining("leads out of the workspace"),
    })
  })
})

describe("167: links", () => {
  test.each([
    "to-file",
    "to-folder",
    "to-folder/new",
    "to-folder/../outside/secret",
    "inside/../to-folder/new",
  ])("%s leads out", (given) => {
    for (const use of ["read", "write"] as const)
      expect(resolvePlace(bounds, root, given, use).type).toBe("outside")
  })
  test.each([
    ["dangling", /does not exist/],
    ["dangling-outside", /does not exist/],
    ["loop-a", /in a circle/],
    ["loop-a/x", /in a circle/],
    ["chain-40", /more than 20 links/],
    ["a.txt/x", /file, not a folder/],
    ["missing/../../x", /does not exist/],
  ])("%s is refused", (given, why) => {
    expect(read(given)).toEqual({ type: "refused", reason: expect.stringMatching(why) })
  })
})

test.each([
  "/proc/self/root/etc/passwd",
  `/proc/self/root${root}/a.txt`,
  `/proc/${process.pid}/cwd/package.json`,
  "/proc/self/mem",
  "/dev/fd/0",
  "/dev/zero",
  "/sys/kernel",
])("169: %s is refused", (given) => {
  expect(read(given)).toEqual({ type: "refused", reason: expect.stringContaining("not a place for files") })
})

test.each([
  "a\0.txt",
  "\\\\server\\share",
  "\\??\\C:\\x",
  "//?/C:/x",
  "C:\\x",
  "C:/x",
  "c:",
  "dir\\b.txt",
  "",
  "~/.ssh/id",
])("171: %j is refused", (given) => {
  expect(read(given).type).toBe("refused")
})

test("174: a path that is longer than the file system takes", () => {
  expect(read("x".repeat(5000))).toEqual({ type: "refused", reason: expect.stringContaining("too long") })
  expect((read("y".repeat(5000)) as { reason: string }).reason.length).toBeLessThan(500)
})

test("a further folder is for reading", () => {
  const given = path.join(world, "more/m")
  expect(read(given)).toEqual({ type: "inside", path: given, base: path.join(world, "more") })
  expect(resolvePlace(bounds, root, given, "write")).toMatchObject({
    type: "outside",
    reason: expect.stringMatching(/read.*written/),
  })
})

test("a working directory outside the workspace is refused", () => {
  expect(read("a.txt", world)).toEqual({
    type: "refused",
    reason: expect.stringContaining("working directory"),
  })
})

test("167: whatever the links and the path are, what is inside is inside by the system's own reckoning", () => {
  const name = fc.constantFrom("a", "b", "c", "d")
  const step = fc.constantFrom("a", "b", "c", "d", "..", ".", "")
  const target = fc.oneof(
    fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join("/") || "."),
    fc.array(step, { maxLength: 4 }).map((steps) => `ROOT/${steps.join("/")}`),
    fc.constantFrom("/", "ROOT/../out", "ROOT-evil", "../../out"),
  )
  const tree = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.option(target)), {
    maxLength: 10,
  })
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-contain-")))
  let count = 0
  try {
    fc.assert(
      fc.property(tree, target, (entries, given) => {
        const own = path.join(base, String(count++))
        const top = path.join(own, "root")
        put(own, { "root/a/b/c": "c", "root-evil/a": "evil", "out/a": "out" })
        for (const [names, to] of entries) make(own, path.join(top, ...names), to?.replaceAll("ROOT", top))
        const place = resolvePlace({ root: top, more: [] }, top, given.replaceAll("ROOT", top), "write")
        if (place.type === "inside") {
          expect(isInside(top, place.path)).toBe(true)
          // Without links: the nearest part that exists is its own real path.
          const near = nearest(place.path)
          expect(fs.realpathSync.native(near)).toBe(near)
        }
        fs.rmSync(own, { recursive: true, force: true })
      }),
      { numRuns: 300 },
    )
  } finally {
    fs.rmSync(base, { recursive: true, force: true })
  }
})

/** Makes nothing if an earlier link leads out of the test folder: that would be the real file system. */
function make(world: string, file: string, to: string | undefined): void {
  try {
    if (!isInside(world, fs.realpathSync.native(nearest(path.dirname(file))))) return
    if (to === undefined) fs.mkdirSync(file, { recursive: true })
    else fs.symlinkSync(to, file)
  } catch {
    // The file exists already, or its folder is a file or a link to nothing.
  }
}

function nearest(file: string): string {
  return fs.lstatSync(file, { throwIfNoEntry: false }) ? file : nearest(path.dirname(file))
}
