import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { CadreError } from "../../../ground/errors.ts"
import { type Disk, hasErrorCode, makeFolder, realDisk, toStoreError, writeAll } from "./disk.ts"

let folder = ""
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-disk-"))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const failure = (code?: string, syscall?: string, more: object = {}) =>
  Object.assign(new Error("no"), { ...(code && { code }), ...(syscall && { syscall }), ...more })

describe("all bytes are written", () => {
  const written = (...counts: readonly number[]) => {
    const parts: string[] = []
    const left = [...counts]
    const disk: Disk = {
      ...realDisk,
      write: (_, bytes) => {
        parts.push(Buffer.from(bytes).toString())
        return left.shift() ?? bytes.length
      },
    }
    writeAll(disk, 0, Buffer.from("abcdef"))
    return parts
  }
  test("at once", () => expect(written()).toEqual(["abcdef"]))
  test("in parts, where the disk takes fewer", () => expect(written(2, 1)).toEqual(["abcdef", "cdef", "def"]))
  test.each([0, -1])("or it is told that the disk took %d", (count) =>
    expect(() => written(2, count)).toThrow("gave"),
  )
})

test("a file is read, written and kept", async () => {
  const descriptor = fs.openSync(path.join(folder, "f"), "w+")
  expect(realDisk.write(descriptor, Buffer.from("abcdef"))).toBe(6)
  const target = Buffer.alloc(3)
  expect([realDisk.read(descriptor, target, 2), target.toString()]).toEqual([3, "cde"])
  await realDisk.sync(descriptor)
  await realDisk.syncFolder(folder)
  fs.closeSync(descriptor)
  await expect(realDisk.sync(descriptor)).rejects.toThrow("EBADF")
  await expect(realDisk.syncFolder(path.join(folder, "none"))).rejects.toThrow("ENOENT")
})

test.each(["fsync", "fdatasync"] as const)("%s fails where the disk does", async (name) => {
  const before = fs[name]
  const failing = (_: number, done: (error: Error) => void) => done(failure("EIO", name))
  const descriptor = fs.openSync(path.join(folder, "f"), "w+")
  try {
    fs[name] = failing as never
    const synced = name === "fsync" ? realDisk.syncFolder(folder) : realDisk.sync(descriptor)
    await expect(synced).rejects.toMatchObject({ code: "EIO" })
  } finally {
    fs[name] = before
    fs.closeSync(descriptor)
  }
})

test("a folder is made with its parents, for this user alone", () => {
  const deep = path.join(folder, "a", "b", "c")
  makeFolder(deep)
  makeFolder(deep)
  for (const made of ["a", "a/b", "a/b/c"])
    expect(fs.statSync(path.join(folder, made)).mode & 0o777).toBe(0o700)
  fs.writeFileSync(path.join(folder, "file"), "")
  expect(() => makeFolder(path.join(folder, "file", "below"))).toThrow("ENOTDIR")
})

test.each<[unknown, boolean]>([
  [failure("ENOENT"), true],
  [failure("EACCES"), true],
  [failure("EIO"), false],
  [failure(), false],
  [undefined, false],
])("a failure has one of these codes: %s, %s", (error, expected) =>
  expect(hasErrorCode(error, "ENOENT", "EACCES")).toBe(expected),
)

describe("a disk that fails", () => {
  const writable = "CADRE_STATE_DIR"
  const space = "Free some space"
  const files = "ulimit -n"
  const links = "hard links"
  const other = "Check the disk"
  test.each<[string, string, string]>([
    ["EACCES", "open", writable],
    ["EPERM", "open", writable],
    ["EROFS", "open", writable],
    ["ENOTDIR", "open", writable],
    ["EEXIST", "mkdir", writable],
    ["ENOENT", "open", writable],
    ["ENOSPC", "write", space],
    ["EDQUOT", "write", space],
    ["EFBIG", "write", space],
    ["EMFILE", "open", files],
    ["ENFILE", "open", files],
    ["EPERM", "link", links],
    ["EIO", "read", other],
  ])("%s at %s is told with what to do", (code, syscall, advice) => {
    const error = failure(code, syscall)
    const told = toStoreError("/d", error) as CadreError
    expect([told.code, told.message, told.cause]).toEqual([
      "STORE_FAILED",
      naming(`${code} at ${syscall} of /d. `, advice),
      error,
    ])
    expect((toStoreError("/d", failure(code, syscall, { path: "/d/f" })) as Error).message).toContain(
      "of /d/f.",
    )
  })

  test.each<[string, unknown]>([
    ["what is told already", new CadreError("RUN_UNKNOWN", "no")],
    [
      "what is told already, whatever it has",
      Object.assign(new CadreError("RUN_UNKNOWN", "no"), { syscall: "open" }),
    ],
    ["a fault of ours", failure()],
    ["one with a code alone", failure("ERR_X")],
    ["one with a call alone", failure(undefined, "open")],
    ["what is no error", { code: "EIO", syscall: "read" }],
    ["nothing", undefined],
  ])("is not %s", (_, error) => expect(toStoreError("/d", error)).toBe(error))
})
