import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Access } from "../../agent/tool.ts"
import { everyTableInstalled } from "./machine.ts"
import { findShellAccesses } from "./shell-accesses.ts"

/** The whole judgement of many commands. A change of the judge changes this file, and its diff gets read. */
const file = path.join(import.meta.dirname, "judged.txt")

let base = ""
beforeAll(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "judged-")))
  for (const folder of ["W/.git", "W/sub/deep/er", "home", "out"])
    fs.mkdirSync(path.join(base, folder), { recursive: true })
  for (const name of ["W/a", "W/b", "W/sub/file", "W/x.tar", "W/x.bz2", "out/far", "home/x"])
    fs.writeFileSync(path.join(base, name), "x")
  fs.symlinkSync("sub", path.join(base, "W/link"))
  fs.symlinkSync(path.join(base, "out"), path.join(base, "W/sub/away"))
})
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

const wholes = fs.readFileSync(file, "utf8").split("\n\n").filter(Boolean)

test.each(wholes.map((whole) => [whole.split("\n")[0]!.slice(2), whole.trimEnd()] as const))(
  "%s",
  async (command, whole) => {
    expect(await judged(command)).toBe(whole)
  },
)

test("commands behind a loop do not count as its own", async () => {
  const plain = "true\n".repeat(5_001)
  expect(await judged(`for i in a; do true; done\n${plain}`)).toMatch(/\n {2}command true$/)
  expect(await judged(`for i in a; do ${plain} done`)).toContain("too many commands")
})

/** The command, and a line for each of its accesses. */
async function judged(command: string): Promise<string> {
  const accesses = await findShellAccesses(command, {
    cwd: path.join(base, "W"),
    home: path.join(base, "home"),
    machine: everyTableInstalled,
  })
  return [`$ ${command}`, ...accesses.map(line)].join("\n").replaceAll(base, "")
}

function line(access: Access): string {
  const { type, ...rest } = access
  const { path: place, text, host, reason, below, ...more } = rest as Record<string, unknown>
  const what = `${place ?? text ?? host ?? reason ?? ""}${below === true ? "/**" : ""}`
  const besides = Object.entries(more).map(([name, value]) => `${name}=${String(value)}`)
  return [`  ${type} ${what}`, ...besides].join(" | ").replaceAll("\n", "\\n")
}
