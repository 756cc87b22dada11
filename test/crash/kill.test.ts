import { spawn } from "node:child_process"
import path from "node:path"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"

const root = path.resolve(import.meta.dirname, "../..")

test("37: killed at random moments, 25 trees reach their right end with nothing lost and nothing repeated", async () => {
  const { code, output, errors } = await kill("--rounds", "25")
  const report = JSON.parse(output.trimEnd().split("\n").at(-1)!)
  expect({ code, errors, report }, output).toEqual({
    code: 0,
    errors: "",
    report: {
      rounds: 25,
      seed: expect.any(Number),
      completed: 25,
      lost: 0,
      repeatedOpaque: 0,
      unknown: expect.any(Number),
      badHistory: 0,
    },
  })
  expect(Object.keys(report)).toEqual([
    "rounds",
    "seed",
    "completed",
    "lost",
    "repeatedOpaque",
    "unknown",
    "badHistory",
  ])
}, 60_000)

test.each([
  ["--rounds", "0"],
  ["--rounds", "many"],
  ["--rounds", "1.5"],
  ["--seed", "-1"],
  ["--round", "5"],
])("refuses %s %s", async (flag, value) => {
  const { code, output, errors } = await kill(`${flag}=${value}`)
  expect({ code, output }).toEqual({ code: 2, output: "" })
  expect(errors).toContain(flag)
  expect(errors).toContain("Usage: npm run kill -- [--rounds N] [--seed S]")
})

async function kill(
  ...flags: readonly string[]
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/kill.ts", ...flags], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1" },
  })
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("exit", resolve)),
  ])
  return { code, output, errors }
}
