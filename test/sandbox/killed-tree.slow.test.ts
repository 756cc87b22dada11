import type { ChildProcess } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { git } from "../git-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { sandboxMissing } from "./kit.ts"

const rounds = Number(process.env.CADRE_KILL_ROUNDS ?? 6)

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  fs.rmdirSync(path.join(world.work, ".git"))
  git(world.work, "init", "--quiet")
  world.put("work/.gitignore", "ignored\n")
  world.put("work/empty/of/mine/file", "")
  fs.mkdirSync(path.join(world.work, "bare"))
  const bash = (command: string) => ({ tool: "Bash", input: { command } })
  world.calling(...Array.from({ length: 40 }, () => bash("true")))
})
afterEach(() => world.remove())

/** Git says nothing of empty folders, so these are listed, too. */
const seen = () => ({
  status: git(world.work, "status", "--ignored", "--porcelain"),
  entries: fs
    .readdirSync(world.work, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith(".git/"))
    .sort(),
})

/** A process and all that it started, which is stopped first so that nothing new begins. */
function killTree(root: number): void {
  const tree = [root]
  for (const id of tree) {
    signal(id, "SIGSTOP")
    tree.push(...childrenOf(id))
  }
  for (const id of tree) signal(id, "SIGKILL")
}

function childrenOf(parent: number): readonly number[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return []
    try {
      const text = fs.readFileSync(`/proc/${name}/stat`, "latin1")
      return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch {
    // It has just ended.
  }
}

describe.skipIf(sandboxMissing)("when cadre, its watchdog and its sandbox are killed at once", () => {
  test(
    `the next command leaves the workspace as it was, after ${rounds} times`,
    async () => {
      const before = seen()
      const names = () => fs.readdirSync(world.work).join()
      const namesBefore = names()
      const isAtWork = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null
      const left: number[] = []
      for (let round = 0; round < rounds; round++) {
        const started = world.start(
          ["run", "worker", "Go.", "--mode", "bypass", "--sandbox", "required", ...world.model],
          "closed",
        )
        // Most of its time it works on commands; in the first moments the leftovers of the round before are removed.
        if (round % 4 > 0) await started.says(/true/)
        // In every other round at any moment, in the rest when something is there to be left behind.
        if (round % 2 === 0) await setTimeout(Math.random() * 700)
        else while (isAtWork(started.child) && names() === namesBefore) await setTimeout(1)
        killTree(started.child.pid!)
        await started.ended
        left.push(seen().entries.length - before.entries.length)
      }
      // Without it this test would show nothing.
      expect(left.filter((count) => count > 0)).not.toEqual([])
      expect((await world.cadre("list")).code).toBe(0)
      expect(seen()).toEqual(before)
      expect(fs.existsSync(path.join(world.base, "state/stand-ins"))).toBe(false)
    },
    60_000 + rounds * 10_000,
  )
})
