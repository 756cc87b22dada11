// What `cadre list` with 1,000 agents and `cadre --version` take, next to starting Node alone.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { writeDefinitions } from "../lib/definition-files.mjs"
import { summary } from "../lib/statistics.mjs"
import { timeNode } from "../lib/time-node.mjs"

const cli = fileURLToPath(new URL("../../dist/cli.mjs", import.meta.url))
const rounds = 15

export async function list({ tell }) {
  const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
  try {
    const project = join(folder, "project")
    mkdirSync(join(project, ".git"), { recursive: true })
    writeDefinitions(join(project, ".claude/agents"), 1_000)
    const options = { cwd: project, env: { ...process.env, HOME: folder } }
    const version = []
    const list = []
    for (let round = 1; round <= rounds; round++) {
      const floor = timeNode(["-e", "0"], options)
      version.push(timeNode([cli, "--version"], options) / floor)
      list.push(timeNode([cli, "list"], options) / floor)
      tell(
        `list, round ${round} of ${rounds}: ${list.at(-1).toFixed(2)}, --version ${version.at(-1).toFixed(2)}`,
      )
    }
    return [
      ["cadre list, 1,000 agents, x node -e 0", summary(list), 6],
      ["cadre --version, x node -e 0", summary(version), 1.5],
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
