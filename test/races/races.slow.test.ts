import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../file-kit.ts"

const worker = fileURLToPath(new URL("./worker.ts", import.meta.url))

interface Report {
  readonly done: number
  readonly won: readonly string[]
}

/** Starts processes that begin at the same moment, and tells what each came to. */
async function race(root: string, works: readonly (readonly [work: string, times: number])[]) {
  const racers = works.map(([work, times], index) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", worker, work, root, String(times), `${index}`],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    )
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
    const ready = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()))
    const ended = new Promise<Report>((resolve, reject) =>
      child.on("close", () => {
        const line = text.split("\n")[1]
        if (line) resolve(JSON.parse(line) as Report)
        else reject(new Error(`it said only ${JSON.stringify(text)}`))
      }),
    )
    return { child, ready, ended }
  })
  await Promise.all(racers.map(({ ready }) => ready))
  for (const { child } of racers) child.stdin.write("go\n")
  return Promise.all(racers.map(({ ended }) => ended))
}

const times = Number(process.env.CADRE_RACES ?? 150)

describe("100, 101: processes that change the same file", () => {
  test.each<[string, readonly (readonly [string, number])[]]>([
    [
      "with Edit",
      [
        ["edit", times],
        ["edit", times],
        ["edit", times],
      ],
    ],
    [
      "with Edit and ApplyPatch",
      [
        ["edit", times],
        ["patch", times],
        ["patch", times],
      ],
    ],
  ])("%s lose nothing: what was said to be written was", async (_, works) => {
    const root = temporaryFolder({ counter: "00000000\n" })
    const reports = await race(root, works)
    const done = reports.reduce((sum, report) => sum + report.done, 0)
    expect(Number(fs.readFileSync(path.join(root, "counter"), "utf8"))).toBe(done)
    expect(done).toBeGreaterThan(works.length)
    expect(fs.readdirSync(root)).toEqual(["counter"])
  })

  test("make each file once: the others are told that somebody else has made it", async () => {
    const root = temporaryFolder()
    const reports = await race(root, [
      ["make", times],
      ["make", times],
      ["make", times],
    ])
    const made = fs.readdirSync(root).sort()
    expect(reports.flatMap(({ won }) => won).sort()).toEqual(made)
    for (const [index, { won }] of reports.entries())
      for (const file of won) expect(fs.readFileSync(path.join(root, file), "utf8")).toBe(String(index))
    expect(made).toHaveLength(times)
  })
})
