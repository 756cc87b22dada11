import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { tool, world } from "../kit.ts"
import { closeServers } from "./support.ts"

afterEach(closeServers)

describe("what throws or rejects beside a run costs that run a result at most; the process and other runs live", () => {
  const faulty = (type: string, reason?: string) => ({ type, ...(reason !== undefined && { reason }) })
  const completed = faulty("completed")
  const denied = faulty("denied", expect.stringContaining("call it made was refused"))
  const failed = faulty("failed", "nobody waits for this")

  test.each([
    ["tool:throws", completed],
    ["tool:rejects", completed],
    ["hook:throws", denied],
    ["hook:rejects", denied],
    ["tool-layer:throws", completed],
    ["tool-layer:rejects", completed],
    ["model-layer:throws", failed],
    ["model-layer:rejects", failed],
  ])("105: %s", async (what, outcome) => {
    expect(await inOwnProcess(what)).toEqual({ faulty: outcome, steady: completed, seen: [] })
  })

  test.each(
    ["tool", "hook", "tool-layer", "model-layer"].flatMap((where) => [
      `${where}:floats`,
      `${where}:floats-late`,
    ]),
  )("105: %s, in a process that listens for such rejections", async (what) => {
    expect(await inOwnProcess(what, "listening")).toEqual({
      faulty: completed,
      steady: completed,
      seen: expect.arrayContaining(["Error: nobody waits for this"]),
    })
  })
})

test("105: a process that a rejection nobody waited for ended leaves runs that are resumed to their ends", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "cadre-floating-"))
  await expect(inOwnProcess("tool:floats", "deaf", directory)).rejects.toThrow(/nobody waits for this/)
  const turns = [{ calls: [{ tool: "work" }] }, { text: "done" }]
  const { runtime } = world({
    store: jsonlStore({ directory }),
    script: { faulty: turns, steady: turns },
    tools: [tool("work")],
    runtime: { hooks: [{ name: "hook", judge: async () => ({ type: "pass" }) }] },
  })
  const outcomes: unknown[] = []
  for await (const { run } of runtime.list()) outcomes.push((await runtime.resume(run).done).outcome)
  expect(outcomes).toEqual([{ type: "completed" }, { type: "completed" }])
  await runtime.close()
  rmSync(directory, { recursive: true })
})

const worker = fileURLToPath(new URL("floating-worker.ts", import.meta.url))

async function inOwnProcess(...words: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", worker, ...words], {
    timeout: 25_000,
  })
  return JSON.parse(stdout)
}
