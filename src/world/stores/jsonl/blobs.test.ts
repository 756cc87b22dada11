import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { isLinux, openFiles } from "../../../../test/stores/tree-kit.ts"
import { hash } from "../../../ground/crypto.ts"
import { Blobs } from "./blobs.ts"
import { type Disk, realDisk } from "./disk.ts"

const folder = () => path.join(directory, "blobs")

test("a text is a file that is named by its hash, and on the disk with its name", async () => {
  const done: string[] = []
  const names = () => fs.readdirSync(folder()).map((name) => (name.startsWith(".") ? "temporary" : name))
  const disk: Disk = {
    ...realDisk,
    sync: async (descriptor) => void done.push(`text of ${fs.fstatSync(descriptor).size}`, ...names()),
    syncFolder: async (place) => void done.push(path.basename(place), ...names()),
  }
  const blobs = new Blobs(disk, directory)
  const name = hash("sha256", Buffer.from("a text"))
  expect(blobs.has(name)).toBe(false)
  expect(await blobs.write("a text")).toBe(name)
  expect(done.splice(0)).toEqual(["text of 6", "temporary", "blobs", name])
  const { mode } = fs.statSync(path.join(folder(), name))
  expect([blobs.has(name), blobs.read(name), mode & 0o777]).toEqual([true, "a text", 0o600])
  expect(await blobs.write("a text")).toBe(name)
  expect(done).toEqual([])
})

test("a text with half a character comes back as it was", async () => {
  const blobs = new Blobs(realDisk, directory)
  expect(blobs.read(await blobs.write("half \ud800 of one"))).toBe("half \ud800 of one")
})

test("nothing is left of a text that could not be written", async () => {
  const disk: Disk = { ...realDisk, sync: () => Promise.reject(new Error("EIO")) }
  await expect(new Blobs(disk, directory).write("a text")).rejects.toThrow("EIO")
  expect(fs.readdirSync(folder())).toEqual([])
  if (isLinux) expect(openFiles(directory)).toEqual([])
})

test.runIf(isLinux)("files are closed", async () => {
  const blobs = new Blobs(realDisk, directory)
  blobs.read(await blobs.write("a text"))
  expect(openFiles(directory)).toEqual([])
})

describe("a text is not there", () => {
  test.each(["../secret", "", "0".repeat(63), "0".repeat(65), "G".repeat(64), "0".repeat(64)])(
    "as %j",
    (name) => {
      fs.writeFileSync(path.join(directory, "secret"), "x")
      expect(new Blobs(realDisk, directory).read(name)).toBeUndefined()
    },
  )

  test("where it was altered, and that is told", async () => {
    const blobs = new Blobs(realDisk, directory)
    const name = await blobs.write("a text")
    fs.writeFileSync(path.join(folder(), name), "another text")
    expect(() => blobs.read(name)).toThrow(
      expect.objectContaining({ code: "LOG_DAMAGED", message: expect.stringContaining(name) }),
    )
  })

  test("where the disk fails, and that is told", () => {
    const name = "0".repeat(64)
    fs.mkdirSync(path.join(folder(), name), { recursive: true })
    expect(() => new Blobs(realDisk, directory).read(name)).toThrow("EISDIR")
  })
})
