/**
 * Measures what it costs to keep changes: a look at the workspace around a command that does nothing, and a write that is
 * kept. `npx tsx scripts/snapshot-cost.ts`
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { defineAgent } from "../src/agent/agent.ts"
import { createRuntime } from "../src/assembly/create-runtime.ts"
import { scriptedModel } from "../src/world/models/scripted.ts"
import { jsonlStore } from "../src/world/stores/jsonl.ts"
import { createFileTools } from "../src/world/tools/files.ts"
import { watchCommand } from "../src/world/tools/snapshot/watch-command.ts"

const rounds = 21
const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-snapshot-cost-")))
const git = (folder: string, ...words: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: folder })
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

function project(name: string, files: number, dirty: number, place: "git" | "no-git"): string {
  const root = path.join(base, name)
  for (let number = 0; number < files; number++) {
    const file = path.join(root, `folder${number % 100}`, `file${number}.txt`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `content of ${number}\n`.repeat(50))
  }
  if (place === "no-git") return root
  git(root, "init", "--quiet")
  git(root, "add", "--all")
  git(root, "commit", "--quiet", "--message", "All")
  for (let number = 0; number < dirty; number++) {
    fs.writeFileSync(path.join(root, `dirty${number}.txt`), `content of ${number}\n`.repeat(50))
  }
  return root
}

async function looks(root: string): Promise<number> {
  const times: number[] = []
  const changes = {
    commands: "watched" as const,
    make: () => Promise.reject(new Error("not asked for")),
    tell: async () => {},
  }
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await watchCommand({ changes, permits: () => true, cwd: root }, undefined, "unknown", async () => {})
    times.push(performance.now() - start)
  }
  return median(times)
}

async function writes(keepFiles: boolean): Promise<number> {
  const work = path.join(base, `writes-${keepFiles}`)
  fs.mkdirSync(work)
  const calls = Array.from({ length: 100 }, (_, number) => ({
    calls: [{ tool: "Write", input: { file_path: `file${number}.txt`, content: `${number}\n`.repeat(500) } }],
  }))
  const runtime = createRuntime({
    agents: [defineAgent({ name: "writer", instructions: "Write.", limits: { maxTurns: 200 } })],
    tools: createFileTools({ root: work }),
    models: { m: scriptedModel({ writer: [...calls, { text: "Done." }] }) },
    store: jsonlStore({ directory: path.join(base, `runs-${keepFiles}`) }),
    keepFiles,
  })
  const start = performance.now()
  const { outcome } = await runtime.run("writer", "Go.", { cwd: work }).done
  if (outcome?.type !== "completed") throw new Error(`It ended as ${JSON.stringify(outcome)}.`)
  await runtime.close()
  return (performance.now() - start) / 100
}

try {
  for (const [name, files, dirty, place] of [
    ["100 files in git", 100, 0, "git"],
    ["10,000 files in git", 10_000, 0, "git"],
    ["10,000 files in git and 1,000 untracked", 10_000, 1_000, "git"],
    ["9,000 files without git", 9_000, 0, "no-git"],
  ] as const)
    console.log(`${name}: ${(await looks(project(name, files, dirty, place))).toFixed(1)} ms a command`)
  const [off, on] = [await writes(false), await writes(true)]
  console.log(`a Write of 2 KB: ${off.toFixed(2)} ms, kept ${on.toFixed(2)} ms`)
} finally {
  fs.rmSync(base, { recursive: true, force: true })
}
