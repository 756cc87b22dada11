import fs from "node:fs"
import { expect, test } from "vitest"
import { put } from "../../../test/file-kit.ts"
import { commit, known, temporaryRepository } from "../../../test/git-kit.ts"
import { openWorktree } from "./open.ts"
import { planWorktree } from "./plan.ts"
import { surveyWorktrees, sweepWorktrees } from "./sweep.ts"

test("a sweep removes what is over and holds nothing, forgets what is gone, and leaves the rest", async () => {
  const { top, worktrees } = temporaryRepository()
  const names = ["open", "clean", "dirty", "committed", "gone"]
  const places = new Map<string, string>()
  for (const name of names) {
    const { worktree, cwd } = await planWorktree(worktrees, name, top)
    await openWorktree(worktree, cwd)
    places.set(name, worktree.path)
  }
  const place = (name: string) => places.get(name)!
  put(place("dirty"), { "new.txt": "new\n" })
  put(place("committed"), { "new.txt": "new\n" })
  commit(place("committed"))
  fs.rmSync(place("gone"), { recursive: true })
  const present = names.filter((name) => name !== "gone").map(place)
  expect(surveyWorktrees(worktrees)).toEqual({ worktrees: present.sort(), stale: [place("gone")] })
  expect(await sweepWorktrees(worktrees, async (name) => name === "open")).toEqual({
    removed: [place("clean")],
    forgotten: [place("gone")],
    problems: [],
  })
  const left = ["committed", "dirty", "open"]
  expect(surveyWorktrees(worktrees)).toEqual({ worktrees: left.map(place), stale: [] })
  expect(known(top).branches).toEqual(left.map((name) => `cadre/${name}`))
})
