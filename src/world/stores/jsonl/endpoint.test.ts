import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { put, temporaryFolder } from "../../../../test/file-kit.ts"
import { findRuntimeFolder } from "./endpoint.ts"

const base = temporaryFolder()
const at = (name: string) => path.join(base, name)
const long = at("long".repeat(40))
const longest = Buffer.byteLength(base) + 40
const name = `cadre-${process.getuid?.() ?? "user"}`
put(base, Object.fromEntries(["run", "t", "last", "taken"].map((folder) => [`${folder}/file`, ""])))

test.each<[string, Parameters<typeof findRuntimeFolder>[0], string]>([
  [
    "the folder for sockets that the system gives",
    { runtime: at("run"), temporary: at("t"), last: long },
    "run/cadre",
  ],
  [
    "the temporary folder, where that is no whole path",
    { runtime: "run", temporary: at("t"), last: long },
    `t/${name}`,
  ],
  [
    "the last, where addresses would get too long in both",
    { runtime: long, temporary: long, last: at("last") },
    `last/${name}`,
  ],
])("sockets lie in %s", (_, places, expected) => {
  const found = findRuntimeFolder({ longest, ...places })
  expect([path.relative(base, found), fs.statSync(found).mode & 0o777]).toEqual([expected, 0o700])
})

test("where others may look into the folder of the usual name, sockets lie in one of their own", () => {
  fs.mkdirSync(at(`taken/${name}`))
  fs.chmodSync(at(`taken/${name}`), 0o777)
  const places = { longest, runtime: long, temporary: long, last: at("taken") }
  const [first, second] = [findRuntimeFolder(places), findRuntimeFolder(places)]
  expect([first, second].map((folder) => path.dirname(folder))).toEqual([at("taken"), at("taken")])
  expect(new Set([first, second, at(`taken/${name}`)]).size).toBe(3)
})
