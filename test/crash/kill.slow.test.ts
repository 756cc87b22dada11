import { spawn } from "node:child_process"
import path from "node:path"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"

const root = path.resolve(import.meta.dirname, "../..")

test.each([
  ["37: killed at random moments", "mixed", 15],
  ["37: killed at random moments while three in parallel have three in parallel, and one asks,", "wide", 15],
  ["37: killed at random moments between the calls of an MCP server", "mcp", 5],
  ["36, 37: killed at random moments under hooks that are asked at moments,", "moments", 15],
])(
  "%s a tree (%s, %i times) reaches its right end with nothing lost and nothing repeated",
  async (_, tree, rounds) => {
    const { code, output, errors } = await kill("--tree", tree, "--rounds", String(rounds))
    const report = JSON.parse(output.trimEnd().split("\n").at(-1)!)
    expect({ code, errors, report }, output).toEqual({
      code: 0,
      errors: "",
      report: {
        tree,
        rounds,
        seed: expect.any(Number),
        completed: rounds,
        lost: 0,
        repeatedOpaque: 0,
        unknown: expect.any(Number),
        badHistory: 0,
      },
    })
    expect(Object.keys(report)).toEqual([
      "tree",
      "rounds",
      "seed",
      "completed",
      "lost",
      "repeatedOpaque",
      "unknown",
      "badHistory",
    ])
  },
)

test.each([
  ["--rounds", "0"],
  ["--rounds", "many"],
  ["--rounds", "1.5"],
  ["--seed", "-1"],
  ["--round", "5"],
  ["--tree", "deep"],
])("refuses %s %s", async (flag, value) => {
  const { code, output, errors } = await kill(`${flag}=${value}`)
  expect({ code, output }).toEqual({ code: 2, output: "" })
  expect(errors).toContain(flag)
  expect(errors).toContain("Usage: npm run kill -- [--tree mixed|wide|mcp|moments] [--rounds N] [--seed S]")
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
