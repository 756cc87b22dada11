import { existsSync, rmSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { contents } from "../file-kit.ts"
import { commit, git, known } from "../git-kit.ts"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld

beforeEach(() => {
  world = new CommandWorld()
  rmSync(path.join(world.work, ".git"), { recursive: true })
  git(world.work, "init", "--quiet", "--initial-branch", "main")
  world.put("work/src/a.txt", "one\n")
  commit(world.work)
  world.agent("worker", ["isolation: worktree"])
  world.script({
    worker: [
      { calls: [{ tool: "Write", input: { file_path: "new.txt", content: "new\n" } }] },
      { text: "done" },
    ],
  })
})

afterEach(() => world.remove())

const findings = async (...words: readonly string[]) => {
  const { result } = await world.json("doctor", ...words)
  return result.findings
    .filter(({ what }: { what: string }) => /worktrees|swept/.test(what))
    .map(({ what, state }: { what: string; state: string }) => `${what}: ${state}`)
}

test("a root works in its worktree; the result says what it left there, and doctor where that is", async () => {
  const { code, result } = await world.json("run", ...world.model, "--mode", "accept-edits", "worker", "Go.")
  expect([code, result.output]).toEqual([0, "done"])
  const { path: place, ...report } = result.isolation
  expect(report).toEqual({
    branch: `cadre/${result.id}`,
    base: git(world.work, "rev-parse", "HEAD").trim(),
    commits: 0,
    files: [{ path: "new.txt", status: "untracked" }],
    insertions: 1,
    deletions: 0,
    kept: "kept",
  })
  expect(path.relative(path.join(world.base, "state/worktrees"), place)).toMatch(/^[0-9a-f]{16}\/\w+$/)
  expect(git(world.work, "status", "--porcelain")).toBe("")
  expect(await findings()).toEqual(["worktrees: 1"])
  expect(await findings("--sweep")).toEqual(["worktrees: 1", "swept: 0 worktrees, 0 git entries"])
  rmSync(place, { recursive: true })
  expect(await findings()).toEqual(["worktrees that are gone: 1"])
  expect(await findings("--sweep")).toEqual(["swept: 0 worktrees, 1 git entry"])
  expect(known(world.work)).toEqual({ branches: [], worktrees: [] })
})

test("a run that asks is resumed from elsewhere, and goes on in its worktree", async () => {
  const { result: asked } = await world.json("run", ...world.model, "--cwd", "src", "worker", "Go.")
  expect(asked).toMatchObject({ status: "resting", approvals: [{ tool: "Write" }] })
  expect((await world.within("home", "approve", asked.id, "c1")).code).toBe(0)
  const { code, stderr } = await world.within("home", "resume", asked.id)
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /Its worktree: branch cadre\/\w+, kept in .*: 1 file changed, 1 insertion, 0 deletions, nothing committed\. src\/new\.txt \(untracked\)\./,
    ),
  ])
  const [, kept] = /kept in (.*?): /.exec(stderr)!
  expect(contents(path.join(kept!, "src"))).toEqual({ "a.txt": "one\n", "new.txt": "new\n" })
  expect(existsSync(path.join(world.work, "src/new.txt"))).toBe(false)
})

test("outside of git nothing runs, and what to do is said", async () => {
  rmSync(path.join(world.work, ".git"), { recursive: true })
  expect(await world.cadre("run", ...world.model, "worker", "Go.")).toEqual({
    code: 1,
    stdout: "",
    stderr: naming(
      'Agent "worker" was not started: ',
      "git worktree of its own",
      `${world.work} is not in`,
      "`isolation: none`",
    ),
  })
})
