import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { contents, put, temporaryFolder } from "../../../test/file-kit.ts"
import { commit, git, known, temporaryRepository } from "../../../test/git-kit.ts"
import type { IsolationPlan, Worktree } from "../../agent/isolation.ts"
import { closeWorktree } from "./close.ts"
import { createWorktreeIsolation } from "./isolation.ts"
import { openWorktree } from "./open.ts"
import { planWorktree } from "./plan.ts"

const run = "01kaaaaaaaaaaaaaaaaaaaaaaa.1"
const nothing = { commits: 0, files: [], insertions: 0, deletions: 0 }

/** A repository with a worktree of a run. */
async function opened(files?: Readonly<Record<string, string>>): Promise<Open> {
  const { top, worktrees } = temporaryRepository(files)
  const plan = await planWorktree(worktrees, run, top)
  await openWorktree(plan.worktree, plan.cwd)
  const { branch, base } = plan.worktree
  return { top, worktrees, plan, worktree: plan.worktree, names: { branch, base } }
}

interface Open {
  readonly top: string
  readonly worktrees: string
  readonly plan: IsolationPlan
  readonly worktree: Worktree
  readonly names: Pick<Worktree, "branch" | "base">
}

test("a worktree lies outside of the repository, on a branch of the run, with the files of the last commit", async () => {
  const { top, worktrees, worktree } = await opened({ "a.txt": "one\n", "src/b.txt": "two\n" })
  const { ".git": _, ...files } = contents(worktree.path)
  expect(files).toEqual({ "a.txt": "one\n", "src/b.txt": "two\n" })
  expect(worktree).toEqual({
    type: "worktree",
    path: expect.stringMatching(new RegExp(`^${worktrees}/[0-9a-f]{16}/${run}$`)),
    branch: `cadre/${run}`,
    base: git(top, "rev-parse", "HEAD").trim(),
    from: top,
    repository: top,
  })
  expect(known(top)).toEqual({ branches: [worktree.branch], worktrees: [worktree.path] })
})

test("a run that starts in a folder of the repository starts in that folder of its worktree, also where git does not know it", async () => {
  const { top, worktrees } = temporaryRepository({ "src/deep/a.txt": "one\n" })
  fs.mkdirSync(path.join(top, "new"))
  for (const folder of ["src/deep", "new"]) {
    const { worktree, cwd } = await planWorktree(worktrees, run, path.join(top, folder))
    await openWorktree(worktree, cwd)
    expect([cwd, fs.existsSync(cwd)]).toEqual([path.join(worktree.path, folder), true])
  }
})

test("a detached head is as good as a branch", async () => {
  const { top, worktrees } = temporaryRepository()
  git(top, "checkout", "--quiet", "--detach")
  const { worktree, cwd } = await planWorktree(worktrees, run, top)
  await openWorktree(worktree, cwd)
  expect(await closeWorktree(worktree)).toMatchObject({ kept: "removed" })
})

test("the worktree of a worktree is one of the same repository, at the commit of the first", async () => {
  const { top, worktrees, worktree } = await opened()
  put(worktree.path, { "a.txt": "committed below\n" })
  commit(worktree.path)
  const inner = await planWorktree(worktrees, `${run}.1`, worktree.path)
  await openWorktree(inner.worktree, inner.cwd)
  expect(inner.worktree).toMatchObject({
    path: path.join(path.dirname(worktree.path), `${run}.1`),
    base: git(worktree.path, "rev-parse", "HEAD").trim(),
    from: worktree.path,
    repository: top,
  })
  expect(fs.readFileSync(path.join(inner.cwd, "a.txt"), "utf8")).toBe("committed below\n")
})

test.each<[string, (base: string) => string, string]>([
  ["outside of git", (base) => base, "not in a git repository"],
  [
    "before the first commit",
    (base) => {
      git(base, "init", "--quiet")
      return base
    },
    "has no commit yet",
  ],
  [
    "in a bare repository",
    (base) => {
      git(base, "init", "--quiet", "--bare")
      return base
    },
    "is a bare repository",
  ],
  ["in the folder of git itself", () => path.join(temporaryRepository().top, ".git"), "is a bare repository"],
  [
    "in a submodule",
    (base) => {
      const { top } = temporaryRepository()
      git(base, "init", "--quiet")
      git(base, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", top, "inner")
      return path.join(base, "inner")
    },
    "is a submodule of",
  ],
])("%s it is refused, and nothing is made", async (_, place, reason) => {
  const worktrees = path.join(temporaryFolder(), "worktrees")
  const answer = await createWorktreeIsolation(worktrees).plan(run, place(temporaryFolder()))
  expect(answer).toEqual({ problem: expect.stringContaining(reason) })
  expect(fs.existsSync(worktrees)).toBe(false)
})

test("a state folder inside of the repository is refused", async () => {
  const { top } = temporaryRepository()
  const answer = await createWorktreeIsolation(path.join(top, ".state/worktrees")).plan(run, top)
  expect(answer).toEqual({
    problem: expect.stringContaining(`in the repository ${top}`),
  })
})

test("what is not committed is not in the worktree, and that is said", async () => {
  const { top, worktrees } = temporaryRepository()
  put(top, { "a.txt": "changed\n", "new.txt": "new\n" })
  const { warnings } = await planWorktree(worktrees, run, top)
  expect(warnings).toEqual([expect.stringContaining("2 uncommitted changes")])
})

test("opened again it is what it was", async () => {
  const { top, worktree, plan } = await opened()
  put(worktree.path, { "a.txt": "mine\n" })
  await openWorktree(worktree, plan.cwd)
  expect(fs.readFileSync(path.join(worktree.path, "a.txt"), "utf8")).toBe("mine\n")
  expect(known(top)).toEqual({ branches: [worktree.branch], worktrees: [worktree.path] })
})

test.each<[string, (open: Open) => void]>([
  [
    "while git was making it",
    ({ top, worktree }) => {
      const record = path.join(top, ".git/worktrees", run)
      fs.writeFileSync(path.join(record, "locked"), "initializing")
      fs.rmSync(path.join(record, "index"))
      fs.rmSync(path.join(worktree.path, "a.txt"))
    },
  ],
  ["before its folder had anything in it", ({ worktree }) => empty(worktree.path)],
  [
    "with its folder removed and git's record and lock left",
    ({ top, worktree }) => {
      fs.rmSync(worktree.path, { recursive: true })
      fs.writeFileSync(path.join(top, ".git/worktrees", run, "locked"), "initializing")
    },
  ],
  [
    "with the branch alone left",
    ({ top, worktree }) => {
      git(top, "worktree", "remove", worktree.path)
    },
  ],
])("after a process died %s it is made anew", async (_, damage) => {
  const open = await opened()
  damage(open)
  await openWorktree(open.worktree, open.plan.cwd)
  expect(git(open.worktree.path, "status", "--porcelain", "--branch")).toBe(`## ${open.worktree.branch}\n`)
  expect(known(open.top)).toEqual({ branches: [open.worktree.branch], worktrees: [open.worktree.path] })
})

const empty = (folder: string): void => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true })
}

test("what lies in its place and is none of ours is left alone, and refused", async () => {
  const { top, worktrees } = temporaryRepository()
  const { worktree, cwd } = await planWorktree(worktrees, run, top)
  put(worktree.path, { "diary.txt": "dear\n" })
  expect(await createWorktreeIsolation(worktrees).open(worktree, cwd)).toEqual({
    problem: expect.stringContaining(`${worktree.path} exists`),
  })
  expect(contents(worktree.path)).toEqual({ "diary.txt": "dear\n" })
})

test("one that cannot be made leaves nothing behind, and git's reason is told", async () => {
  const { top, worktrees } = temporaryRepository()
  const { worktree, cwd } = await planWorktree(worktrees, run, top)
  const gone = { ...worktree, base: "0123456789012345678901234567890123456789" }
  const { problem } = await createWorktreeIsolation(worktrees).open(gone, cwd)
  expect(problem).toMatch(/^git worktree failed in .*: fatal: .*0123456789/s)
  expect(known(top)).toEqual({ branches: [], worktrees: [] })
  expect(fs.existsSync(worktree.path)).toBe(false)
})

test("a branch of the user that is in the way is told", async () => {
  const { top, worktrees } = temporaryRepository()
  git(top, "branch", "cadre")
  const { worktree, cwd } = await planWorktree(worktrees, run, top)
  const { problem } = await createWorktreeIsolation(worktrees).open(worktree, cwd)
  expect(problem).toContain("'refs/heads/cadre' exists")
  expect(known(top)).toEqual({ branches: ["cadre"], worktrees: [] })
})

test("many are made at once", async () => {
  const { top, worktrees } = temporaryRepository()
  const runs = Array.from({ length: 8 }, (_, index) => `${run}.${index + 1}`)
  await Promise.all(
    runs.map(async (name) => {
      const { worktree, cwd } = await planWorktree(worktrees, name, top)
      await openWorktree(worktree, cwd)
    }),
  )
  expect(known(top).branches).toEqual(runs.map((name) => `cadre/${name}`))
})

test.each(["gitdir:**/worktrees/**", "onbranch:cadre/**"])(
  "no filter runs that the repository names for worktrees alone (%s)",
  async (condition) => {
    const base = temporaryFolder()
    const trace = path.join(base, "trace")
    const { top, worktrees } = temporaryRepository({
      ".gitattributes": "*.txt filter=evil\n",
      "a.txt": "one\n",
    })
    put(base, {
      included: `[filter "evil"]\n\tsmudge = echo ran >> ${trace}; cat\n\tclean = echo ran >> ${trace}; cat\n`,
    })
    git(top, "config", `includeIf.${condition}.path`, path.join(base, "included"))
    const plan = await planWorktree(worktrees, run, top)
    await openWorktree(plan.worktree, plan.cwd)
    expect(fs.readFileSync(path.join(plan.cwd, "a.txt"), "utf8")).toBe("one\n")
    // The time of the file no longer fits the index, so git compares the content.
    fs.utimesSync(path.join(plan.cwd, "a.txt"), 1, 1)
    expect(await closeWorktree(plan.worktree)).toMatchObject({ kept: "removed" })
    expect(fs.existsSync(trace)).toBe(false)
  },
)

test("no hook, filter or monitor of the repository runs", async () => {
  const { top, worktrees } = temporaryRepository({
    "a.txt": "one\n",
    ".gitattributes": "*.txt filter=evil\n",
  })
  const trace = path.join(top, "..", "trace")
  const evil = `sh -c 'echo ran >> ${trace}; cat'`
  put(top, { ".git/hooks/post-checkout": `#!/bin/sh\necho ran >> ${trace}\n` })
  fs.chmodSync(path.join(top, ".git/hooks/post-checkout"), 0o755)
  for (const key of ["filter.evil.smudge", "filter.evil.clean", "core.fsmonitor"])
    git(top, "config", key, evil)
  const { worktree, cwd } = await planWorktree(worktrees, run, top)
  await openWorktree(worktree, cwd)
  put(worktree.path, { "a.txt": "two\n" })
  await closeWorktree(worktree)
  expect(fs.existsSync(trace)).toBe(false)
})

test.each<[string, (open: Open) => void, object]>([
  ["nothing changed: nothing is left", () => {}, { ...nothing, kept: "removed" }],
  [
    "ignored files are kept, and told",
    ({ worktree }) => put(worktree.path, { "build.log": "x\n", "src/deep.log": "y\n" }),
    {
      ...nothing,
      files: [
        { path: "build.log", status: "ignored" },
        { path: "src/deep.log", status: "ignored" },
      ],
      kept: "kept",
    },
  ],
  [
    "what a folder holds that is ignored by a file of the run's own",
    ({ worktree }) => put(worktree.path, { "out/.gitignore": "*\n", "out/a/b.txt": "x\n" }),
    {
      ...nothing,
      files: [
        { path: "out/.gitignore", status: "ignored" },
        { path: "out/a/", status: "ignored" },
      ],
      kept: "kept",
    },
  ],
  [
    "what only this clone ignores",
    ({ top, worktree }) => {
      fs.appendFileSync(path.join(top, ".git/info/exclude"), "secret\n")
      put(worktree.path, { secret: "x\n" })
    },
    { ...nothing, files: [{ path: "secret", status: "ignored" }], kept: "kept" },
  ],
  [
    "empty folders are nothing",
    ({ worktree }) => fs.mkdirSync(path.join(worktree.path, "x/y"), { recursive: true }),
    { ...nothing, kept: "removed" },
  ],
  [
    "files that git knows and does not know",
    ({ worktree }) => {
      put(worktree.path, { "a.txt": "one\ntwo\n", "new folder/ü.txt": "1\n2\n3" })
      fs.rmSync(path.join(worktree.path, "b.txt"))
    },
    {
      commits: 0,
      files: [
        { path: "a.txt", status: "modified" },
        { path: "b.txt", status: "deleted" },
        { path: "new folder/ü.txt", status: "untracked" },
      ],
      insertions: 4,
      deletions: 1,
      kept: "kept",
    },
  ],
  [
    "commits, and a change since",
    ({ worktree }) => {
      put(worktree.path, { "c.txt": "c\n" })
      commit(worktree.path)
      put(worktree.path, { "c.txt": "c\nd\n" })
    },
    { commits: 1, files: [{ path: "c.txt", status: "added" }], insertions: 2, deletions: 0, kept: "kept" },
  ],
  [
    "a commit that takes another one back",
    ({ worktree }) => {
      put(worktree.path, { "c.txt": "c\n" })
      commit(worktree.path)
      git(worktree.path, "revert", "--no-edit", "HEAD")
    },
    { ...nothing, commits: 2, kept: "kept" },
  ],
  [
    "what is staged and nowhere else",
    ({ worktree }) => {
      put(worktree.path, { "c.txt": "c\n" })
      git(worktree.path, "add", "c.txt")
      fs.rmSync(path.join(worktree.path, "c.txt"))
    },
    { ...nothing, kept: "kept" },
  ],
  [
    "a commit on no branch",
    ({ worktree }) => {
      git(worktree.path, "checkout", "--quiet", "--detach")
      put(worktree.path, { "c.txt": "c\n" })
      commit(worktree.path)
    },
    { commits: 1, files: [{ path: "c.txt", status: "added" }], insertions: 1, deletions: 0, kept: "kept" },
  ],
])("closed with %s", async (_, work, report) => {
  const open = await opened({ "a.txt": "one\n", "b.txt": "b\n", ".gitignore": "*.log\n" })
  const { top, worktree, names } = open
  work(open)
  const isKept = (report as { kept: string }).kept === "kept"
  expect(await closeWorktree(worktree)).toEqual({
    ...names,
    ...report,
    ...(isKept && { path: worktree.path }),
  })
  expect(known(top)).toEqual(
    isKept ? { branches: [worktree.branch], worktrees: [worktree.path] } : { branches: [], worktrees: [] },
  )
  expect(fs.existsSync(worktree.path)).toBe(isKept)
  expect(git(top, "status", "--porcelain")).toBe("")
})

test("closed twice, and closed without having been opened, it is gone", async () => {
  const { top, worktree, names } = await opened()
  const removed = { ...names, ...nothing, kept: "removed" }
  expect(await closeWorktree(worktree)).toEqual(removed)
  expect(await closeWorktree(worktree)).toEqual(removed)
  expect(known(top)).toEqual({ branches: [], worktrees: [] })
})

test("a folder that somebody removed leaves its commits on the branch, and they are told", async () => {
  const { top, worktree, names } = await opened()
  put(worktree.path, { "c.txt": "c\n" })
  commit(worktree.path)
  fs.rmSync(worktree.path, { recursive: true })
  expect(await closeWorktree(worktree)).toEqual({
    ...names,
    commits: 1,
    files: [{ path: "c.txt", status: "added" }],
    insertions: 1,
    deletions: 0,
    kept: "kept",
  })
  expect(known(top).branches).toEqual([worktree.branch])
})

test("where the repository is gone the folder is kept, and why is told", async () => {
  const { top, worktree, names } = await opened()
  fs.rmSync(top, { recursive: true })
  expect(await closeWorktree(worktree)).toEqual({
    ...names,
    ...nothing,
    path: worktree.path,
    kept: "kept",
    problem: expect.stringContaining("not a git repository"),
  })
})

test("in a repository with submodules one is removed that holds nothing, and kept with something in the place of one", async () => {
  const inner = temporaryRepository().top
  const { top, worktrees } = temporaryRepository()
  git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner")
  commit(top)
  for (const files of [{}, { "inner/notes.txt": "x\n" }] as readonly Readonly<Record<string, string>>[]) {
    const { worktree, cwd } = await planWorktree(worktrees, run, top)
    await openWorktree(worktree, cwd)
    put(worktree.path, files)
    const { kept, files: changed } = await closeWorktree(worktree)
    expect({ kept, changed }).toEqual(
      "inner/notes.txt" in files
        ? { kept: "kept", changed: [{ path: "inner/", status: "in-submodule" }] }
        : { kept: "removed", changed: [] },
    )
  }
})

test("a new worktree makes git forget those of ours that are gone, and none of anybody else's", async () => {
  const { top, worktrees, worktree } = await opened()
  const theirs = path.join(top, "..", "theirs")
  git(top, "worktree", "add", "--quiet", "-b", "theirs", theirs)
  for (const place of [worktree.path, theirs]) fs.rmSync(place, { recursive: true })
  const { worktree: next, cwd } = await planWorktree(worktrees, `${run}.2`, top)
  await openWorktree(next, cwd)
  expect(known(top)).toEqual({ branches: [next.branch, "theirs"], worktrees: [next.path, theirs] })
})
