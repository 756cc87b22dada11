import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { contents, temporaryFolder } from "../../test/file-kit.ts"
import { writeFixes } from "./fix.ts"

/** Mends `a.md` in a folder of which one can say more beforehand. */
function mended(prepare: (file: string, folder: string) => void) {
  const folder = temporaryFolder({ "a.md": "before, and longer\n" })
  const file = path.join(folder, "a.md")
  prepare(file, folder)
  const { changed, failed } = writeFixes({
    texts: new Map([[file, { before: "before, and longer\n", after: "after\n" }]]) as never,
  })
  const mode = fs.statSync(file).mode & 0o777
  return { changed: changed.length, failed: [...failed.values()], files: contents(folder), mode, folder }
}

test("a file keeps its mode", () => {
  expect(mended((file) => fs.chmodSync(file, 0o640))).toMatchObject({
    changed: 1,
    failed: [],
    files: { "a.md": "after\n" },
    mode: 0o640,
  })
})

test("a read-only file is left alone, and how to change that is told", () => {
  const { folder, ...rest } = mended((file) => fs.chmodSync(file, 0o444))
  expect(rest).toEqual({
    changed: 0,
    failed: [
      `it cannot be written: it is read-only. Make it writable (chmod u+w "${fs.realpathSync(folder)}/a.md"), and check again`,
    ],
    files: { "a.md": "before, and longer\n" },
    mode: 0o444,
  })
})

test("a file with several names is mended under all of them", () => {
  const { folder, ...rest } = mended((file, folder) => fs.linkSync(file, path.join(folder, "b.md")))
  expect(rest).toMatchObject({ changed: 1, failed: [], files: { "a.md": "after\n", "b.md": "after\n" } })
  expect(fs.statSync(path.join(folder, "a.md")).nlink).toBe(2)
})

test("a link is followed, and stays one", () => {
  const { folder, ...rest } = mended((file, folder) => {
    fs.renameSync(file, path.join(folder, "real.md"))
    fs.symlinkSync("real.md", file)
  })
  expect(rest).toMatchObject({ changed: 1, failed: [] })
  expect(fs.readlinkSync(path.join(folder, "a.md"))).toBe("real.md")
  expect(fs.readFileSync(path.join(folder, "real.md"), "utf8")).toBe("after\n")
})
