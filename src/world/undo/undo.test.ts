import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { contents, put, temporaryFolder } from "../../../test/file-kit.ts"
import type { FileVersion } from "../../agent/file-change.ts"
import { hash } from "../../ground/crypto.ts"
import { applyUndo } from "./apply-undo.ts"
import { planUndo, type WantedVersion } from "./plan-undo.ts"

const version = (text: string, more: Partial<FileVersion> = {}): FileVersion => ({
  hash: hash("sha256", text, "hex"),
  ...more,
})

/** The run left `from`, and it is to become `to`. */
const wanted = (
  file: string,
  from: string | undefined,
  to: string | undefined,
  more: Partial<WantedVersion> = {},
): WantedVersion => ({
  path: file,
  from: from === undefined ? undefined : version(from),
  to: to === undefined ? undefined : version(to),
  text: to,
  ...more,
})

const left = { "a.txt": "now", "old.txt": "same", "deep/er/new.txt": "new" }

test("files change back, come back and go with their empty folders; a second time there is nothing to do", async () => {
  const base = temporaryFolder(left)
  const all = [
    wanted(path.join(base, "a.txt"), "now", "before"),
    wanted(path.join(base, "old.txt"), "other", "same"),
    wanted(path.join(base, "gone/b.sh"), undefined, "run", { to: version("run", { mode: "100755" }) }),
    wanted(path.join(base, "deep/er/new.txt"), "new", undefined),
  ]
  const { steps, done, obstacles } = planUndo(base, all)
  expect([done, obstacles]).toEqual([[path.join(base, "old.txt")], []])
  await applyUndo(base, steps)
  expect(contents(base)).toEqual({ "a.txt": "before", "gone/b.sh": "run", "old.txt": "same" })
  expect(fs.statSync(path.join(base, "gone/b.sh")).mode & 0o111).not.toBe(0)
  expect(fs.existsSync(path.join(base, "deep"))).toBe(false)
  expect(planUndo(base, all)).toMatchObject({ steps: [], obstacles: [] })
})

test.each<[string, (base: string) => WantedVersion, RegExp]>([
  [
    "a file that changed since",
    (base) => wanted(path.join(base, "a.txt"), "left", "before"),
    /changed since/,
  ],
  [
    "a file that is there again",
    (base) => wanted(path.join(base, "a.txt"), undefined, "before"),
    /changed since/,
  ],
  [
    "a file with another mode",
    (base) => wanted(path.join(base, "a.txt"), "now", "b", { from: version("now", { mode: "100755" }) }),
    /changed since/,
  ],
  [
    "a content that is not kept",
    (base) => wanted(path.join(base, "a.txt"), "now", "before", { text: undefined }),
    /not kept/,
  ],
  [
    "a content without its secrets",
    (base) => wanted(path.join(base, "a.txt"), "now", "before", { text: "be***" }),
    /not kept/,
  ],
  [
    "a problem",
    (base) => wanted(path.join(base, "a.txt"), "now", "before", { problem: "git has a filter" }),
    /git has a filter/,
  ],
  ["a file outside", (base) => wanted(path.join(base, "../b.txt"), undefined, "b"), /is not in/],
  [
    "a protected file",
    (base) => wanted(path.join(base, ".git/hooks/pre-commit"), undefined, "b"),
    /belongs to git/,
  ],
  [
    "a file behind a link",
    (base) => wanted(path.join(base, "link/b.txt"), undefined, "b"),
    /a link or a file/,
  ],
  ["a link in place of a file", (base) => wanted(path.join(base, "link"), "now", "before"), /changed since/],
  ["a folder in place of a file", (base) => wanted(path.join(base, "deep"), "now", "before"), /no file/],
  ["a hard link", (base) => wanted(path.join(base, "hard"), "now", "before"), /hard link/],
])("%s stands in the way", (_, make, reason) => {
  const base = temporaryFolder(left)
  const outside = temporaryFolder()
  fs.symlinkSync(outside, path.join(base, "link"))
  put(base, { hard: "now" })
  fs.linkSync(path.join(base, "hard"), path.join(outside, "hard"))
  const before = contents(base)
  expect(planUndo(base, [make(base)])).toEqual({
    steps: [],
    done: [],
    obstacles: [{ path: make(base).path, reason: expect.stringMatching(reason) }],
  })
  expect([contents(base), fs.readdirSync(outside)]).toEqual([before, ["hard"]])
})

test("a file that changes between the check and the undo keeps all files as they are", async () => {
  const base = temporaryFolder({ "a.txt": "now", "b.txt": "new", "c.txt": "now" })
  const { steps } = planUndo(base, [
    wanted(path.join(base, "a.txt"), "now", "before"),
    wanted(path.join(base, "b.txt"), "new", undefined),
    wanted(path.join(base, "gone.txt"), undefined, "gone"),
    wanted(path.join(base, "c.txt"), "now", "before"),
  ])
  put(base, { "c.txt": "by another" })
  await expect(applyUndo(base, steps)).rejects.toThrow(/Nothing was changed/)
  expect(contents(base)).toEqual({ "a.txt": "now", "b.txt": "new", "c.txt": "by another" })
})

test("links are put back and taken away, and never followed", async () => {
  const base = temporaryFolder({ "target.txt": "stays", "was-link": "file now" })
  fs.symlinkSync("target.txt", path.join(base, "made"))
  const link = (text: string) => version(text, { mode: "120000" })
  const { steps, obstacles } = planUndo(base, [
    wanted(path.join(base, "made"), "target.txt", undefined, { from: link("target.txt") }),
    wanted(path.join(base, "was-link"), "file now", "target.txt", { to: link("target.txt") }),
  ])
  expect(obstacles).toEqual([])
  await applyUndo(base, steps)
  expect(fs.readdirSync(base).sort()).toEqual(["target.txt", "was-link"])
  expect(fs.readlinkSync(path.join(base, "was-link"))).toBe("target.txt")
  expect(fs.readFileSync(path.join(base, "target.txt"), "utf8")).toBe("stays")
})
