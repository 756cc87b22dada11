import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { contents } from "../file-kit.ts"
import { git, known, temporaryRepository } from "../git-kit.ts"
import { type Order, openIsolatedTree } from "./isolated-tree.ts"

const worker = fileURLToPath(new URL("./isolated-worker.ts", import.meta.url))

const cases: readonly [Order["dies"], Order["child"]][] = [
  ["before-open", "writer"],
  ["after-open", "writer"],
  ["after-open", "reader"],
  ["open-recorded", "writer"],
  ["before-close", "writer"],
  ["after-close", "writer"],
  ["after-close", "reader"],
]

test.each(cases)(
  "killed %s, the child that is a %s comes to the same end with one worktree",
  async (dies, child) => {
    const { top, worktrees } = temporaryRepository()
    const order: Order = { top, worktrees, directory: path.join(worktrees, "../runs"), child, dies }
    expect(await killed(order)).toBe("SIGKILL")
    const runtime = openIsolatedTree(order)
    let root: string | undefined
    for await (const head of runtime.list()) root = head.run
    const result = await runtime.resume(root!).done
    const { isolation, proof, outcome } = await runtime.read(`${root}.1`)
    await runtime.close()
    expect([result.outcome, outcome]).toEqual([{ type: "completed" }, { type: "completed" }])
    expect(proof.evidence.unknown).toEqual([])
    const place = fs.readdirSync(worktrees).map((name) => path.join(worktrees, name, `${root}.1`))[0]!
    if (child === "reader") {
      expect(isolation).toMatchObject({ files: [], kept: "removed" })
      expect([known(top), fs.existsSync(place)]).toEqual([{ branches: [], worktrees: [] }, false])
    } else {
      expect(isolation).toMatchObject({
        path: place,
        files: [{ path: "new.txt", status: "untracked" }],
        kept: "kept",
      })
      expect(known(top)).toEqual({ branches: [`cadre/${root}.1`], worktrees: [place] })
      const { ".git": _, ...files } = contents(place)
      expect(files).toEqual({ "a.txt": "one\n", "new.txt": "new\n" })
    }
    expect(git(top, "status", "--porcelain")).toBe("")
  },
)

/** The signal that ended a process with this order. */
const killed = (order: Order): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", worker, JSON.stringify(order)], {
      stdio: "inherit",
      env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1" },
    })
    child.once("exit", (_, signal) => resolve(signal))
  })
