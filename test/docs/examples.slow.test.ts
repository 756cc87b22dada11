import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const root = path.resolve(import.meta.dirname, "../..")
const examples = fs.readdirSync(path.join(root, "examples")).filter((file) => file.endsWith(".ts"))
const { exports } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"))
/** What an example may import: what ships, and packages that its first line tells to install. */
const importable = new Set([
  ...Object.keys(exports).map((entry) => path.posix.join("cadre", entry)),
  ...["zod", "ai", "@ai-sdk/openai", "@openai/agents"],
])
let temporary = ""
beforeAll(() => {
  temporary = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-examples-"))
})
afterAll(() => fs.rmSync(temporary, { recursive: true, force: true }))

describe.each([...examples, "seeds/run.ts"])("examples/%s", (example) => {
  const source = fs.readFileSync(path.join(root, "examples", example), "utf8")

  test("verifies itself and exits with 0", async () => {
    const { code, output, errors } = await run(example)
    expect({ code, errors }, `${output}\nIt runs on dist: npm run build`).toEqual({ code: 0, errors: "" })
    expect(output, "It prints what it shows.").not.toBe("")
    expect(source, "It verifies what it shows.").toContain("assert.")
  })

  test("imports only what a user could", () => {
    const imported = [...source.matchAll(/from "([^"]+)"/g)].map(([, name]) => name!)
    const wrong = imported.filter((name) => !name.startsWith("node:") && !importable.has(name))
    expect(wrong).toEqual([])
  })

  test("is short enough to read in one go", () => {
    expect(source.trimEnd().split("\n").length).toBeLessThan(60)
  })
})

test("examples are numbered without a gap, and README lists them all", () => {
  expect(examples.map((file) => file.slice(0, 2))).toEqual(
    examples.map((_, index) => String(index + 1).padStart(2, "0")),
  )
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8")
  expect(examples.filter((file) => !readme.includes(`(examples/${file})`))).toEqual([])
})

test("examples leave nothing behind", () => {
  expect(
    fs.readdirSync(temporary).filter((name) => name.startsWith("cadre-") && !isSocketFolder(name)),
  ).toEqual([])
})

/** One per user, kept for the next process. */
const isSocketFolder = (name: string): boolean => /^cadre-\d+$/.test(name)

/** A real process, with a temporary folder and a home of its own. */
async function run(example: string): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", path.join("examples", example)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 25_000,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      NODE_NO_WARNINGS: "1",
      TMPDIR: temporary,
      CADRE_STATE_DIR: path.join(temporary, "state"),
    },
  })
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
  ])
  return { code, output, errors }
}
