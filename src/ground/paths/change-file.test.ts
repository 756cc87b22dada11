import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { contents, temporaryFolder } from "../../../test/file-kit.ts"
import { removeFile, replaceFile } from "./change-file.ts"
import { openFile } from "./open-file.ts"

const statsOf = (file: string) => fs.lstatSync(file, { bigint: true })
const known = (file: string) => ({ stats: statsOf(file), bytes: fs.readFileSync(file) })

describe.each(["descriptor", "path"] as const)("held by %s", (anchoring) => {
  test("a file is made, with the folders it needs, and replaced", async () => {
    const root = temporaryFolder()
    const file = path.join(root, "a/b/c.txt")
    await replaceFile(root, file, Buffer.from("one"), { expected: "absent", anchoring })
    await replaceFile(root, file, Buffer.from("two"), { expected: known(file), anchoring })
    expect(contents(root)).toEqual({ "a/b/c.txt": "two" })
    await removeFile(root, file, known(file), anchoring)
    expect(contents(root)).toEqual({})
  })

  test("175: mode and owner stay; set-user bits do not", async () => {
    const root = temporaryFolder({ a: "a", b: "b" })
    fs.chmodSync(path.join(root, "a"), 0o751)
    fs.chmodSync(path.join(root, "b"), 0o4755)
    if (process.getuid?.() === 0) fs.chownSync(path.join(root, "a"), 1234, 4321)
    const { uid, gid } = statsOf(path.join(root, "a"))
    for (const name of ["a", "b"])
      await replaceFile(root, path.join(root, name), Buffer.from("new"), {
        expected: known(path.join(root, name)),
        anchoring,
      })
    const after = statsOf(path.join(root, "a"))
    expect([
      after.mode & 0o7777n,
      after.uid,
      after.gid,
      statsOf(path.join(root, "b")).mode & 0o7777n,
    ]).toEqual([0o751n, uid, gid, 0o755n])
  })

  test("101: what somebody else changed or made meanwhile is not replaced", async () => {
    const root = temporaryFolder({ a: "old" })
    const file = path.join(root, "a")
    const expected = known(file)
    fs.writeFileSync(file, "theirs")
    await expect(replaceFile(root, file, Buffer.from("x"), { expected, anchoring })).rejects.toThrow(
      /changed by another process/,
    )
    await expect(
      replaceFile(root, file, Buffer.from("x"), { expected: "absent", anchoring }),
    ).rejects.toThrow(/another process has created/)
    await expect(removeFile(root, file, expected, anchoring)).rejects.toThrow(/changed by another process/)
    expect(contents(root)).toEqual({ a: "theirs" })
  })

  test("168, 214: a link in place of the folder or the file is not followed", async () => {
    const world = temporaryFolder({ "root/x": "", "outside/secret": "secret" })
    const root = path.join(world, "root")
    fs.symlinkSync(path.join(world, "outside"), path.join(root, "folder"))
    fs.symlinkSync(path.join(world, "outside/secret"), path.join(root, "file"))
    const attempt = (name: string) =>
      replaceFile(root, path.join(root, name), Buffer.from("x"), { expected: "absent", anchoring })
    await expect(attempt("folder/new")).rejects.toThrow(/link.*file/)
    await expect(attempt("file")).rejects.toThrow(/another process has created/)
    expect(() => openFile(root, path.join(root, "folder/secret"), anchoring)).toThrow(/link.*file/)
    expect(() => openFile(root, path.join(root, "file"), anchoring)).toThrow(/is now a link/)
    expect(contents(path.join(world, "outside"))).toEqual({ secret: "secret" })
  })

  test("a path that is not in the base is refused", async () => {
    const root = temporaryFolder()
    await expect(
      replaceFile(root, path.join(root, "../x"), Buffer.from("x"), { expected: "absent", anchoring }),
    ).rejects.toThrow(/is not in/)
  })
})
