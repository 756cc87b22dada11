import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder } from "../../../test/file-kit.ts"
import { commit, git, temporaryRepository } from "../../../test/git-kit.ts"
import { createWorktreeIsolation } from "./isolation.ts"

interface Place {
  readonly cwd: string
  readonly worktrees: string
}

const repository = (change: (top: string) => string | undefined = () => undefined): Place => {
  const { top, worktrees } = temporaryRepository({ "a.txt": "one\n", "src/b.txt": "two\n" })
  return { cwd: change(top) ?? top, worktrees }
}

/** The plan from git's files is the same as git's own answer. */
test.each<[string, () => Place]>([
  ["a repository", () => repository()],
  ["a folder of one", () => repository((top) => path.join(top, "src"))],
  ["a link to one", () => repository((top) => linked(top))],
  ["another tree of one", () => repository((top) => anotherTree(top))],
  ["a detached head", () => repository((top) => void git(top, "checkout", "--quiet", "--detach"))],
  ["packed references", () => repository((top) => void git(top, "pack-refs", "--all"))],
  ["a name with slashes", () => repository((top) => void git(top, "checkout", "--quiet", "-b", "a/b"))],
  ["no commit", () => repository((top) => void git(top, "checkout", "--quiet", "--orphan", "new"))],
  ["a submodule", () => repository((top) => submodule(top))],
  ["no repository", () => ({ cwd: temporaryFolder(), worktrees: "/nonexistent" })],
  ["a folder that only looks like one", () => ({ cwd: temporaryFolder({ ".git/x": "" }), worktrees: "/x" })],
  ["worktrees within the repository", () => ({ ...repository(), ...within() })],
])("in %s", async (_, make) => {
  const { cwd, worktrees } = make()
  const isolation = createWorktreeIsolation(worktrees)
  const plan = await isolation.plan("run", cwd)
  expect(await isolation.foresee!("run", cwd)).toEqual("problem" in plan ? plan : { ...plan, warnings: [] })
})

test("where references are no files, a worktree begins with what is checked out", async () => {
  const { cwd, worktrees } = repository()
  try {
    git(cwd, "refs", "migrate", "--ref-format=reftable")
  } catch {
    // This git only keeps references as files.
    fs.mkdirSync(path.join(cwd, ".git/reftable"))
  }
  expect(await createWorktreeIsolation(worktrees).foresee!("run", cwd)).toMatchObject({
    worktree: { base: "HEAD" },
  })
})

function linked(top: string): string {
  const link = path.join(temporaryFolder(), "link")
  fs.symlinkSync(top, link)
  return link
}

function anotherTree(top: string): string {
  const place = path.join(temporaryFolder(), "tree")
  git(top, "worktree", "add", "--quiet", "-b", "other", place)
  return place
}

function submodule(top: string): string {
  const inner = temporaryRepository().top
  git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner")
  commit(top)
  return path.join(top, "inner")
}

function within(): Place {
  const { cwd } = repository()
  return { cwd, worktrees: path.join(cwd, "state") }
}
