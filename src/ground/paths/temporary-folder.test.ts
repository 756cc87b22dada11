import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { makeTemporaryFolder } from "./temporary-folder.ts"

let place = ""
beforeEach(() => {
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-folders-")))
  vi.stubEnv("TMPDIR", place)
})
afterEach(() => {
  vi.unstubAllEnvs()
  fs.rmSync(place, { recursive: true, force: true })
})

/** A number that no process has. */
const dead = 2 ** 22 + 1
const twoHours = 7_200_000

test("the folder of a killed process goes at the next start, and no other folder does", () => {
  const files = fs.mkdtempSync(path.join(place, "files-"))
  fs.writeFileSync(path.join(files, "kept"), "kept")
  const put = (name: string, age: number) => {
    fs.mkdirSync(path.join(place, name, "below"), { recursive: true })
    fs.writeFileSync(path.join(place, name, "file"), "text")
    fs.symlinkSync(files, path.join(place, name, "link"))
    const then = new Date(Date.now() - age)
    fs.utimesSync(path.join(place, name), then, then)
    return name
  }
  put(`cadre-x-${dead}-killed`, twoHours)
  const others = [
    put(`cadre-x-${dead}-young`, 0),
    put(`cadre-x-${process.pid}-living`, twoHours),
    put(`cadre-y-${dead}-other`, twoHours),
    put("cadre-x-tests", twoHours),
  ]
  fs.symlinkSync(files, path.join(place, `cadre-x-${dead}-link`))
  const folder = makeTemporaryFolder("cadre-x-")
  const left = () => fs.readdirSync(place).sort()
  const rest = [...others, path.basename(files), `cadre-x-${dead}-link`]
  expect(left()).toEqual([...rest, path.basename(folder.path)].sort())
  expect([fs.statSync(folder.path).mode & 0o777, fs.readdirSync(files)]).toEqual([0o700, ["kept"]])
  fs.writeFileSync(path.join(folder.path, "file"), "text")
  folder.remove()
  folder.remove()
  expect(left()).toEqual(rest.sort())
})
