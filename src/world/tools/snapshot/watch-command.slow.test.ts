import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { contents, put, temporaryFolder } from "../../../../test/file-kit.ts"
import { commit, git, temporaryRepository } from "../../../../test/git-kit.ts"
import type { SeenChanges, SeenFile } from "../../../agent/file-change.ts"
import type { Access } from "../../../agent/tool.ts"
import { watchCommand } from "./watch-command.ts"

/** The changes that are seen of some work in a folder, as `NAME: BEFORE → AFTER`. */
async function seen(
  root: string,
  work: () => void,
  permits: (access: Access) => boolean = () => true,
): Promise<readonly unknown[]> {
  let told: SeenChanges | undefined
  const changes = {
    commands: "watched" as const,
    make: () => Promise.reject(new Error("not asked for")),
    tell: async (all: SeenChanges) => {
      told = all
    },
  }
  await watchCommand({ changes, permits, cwd: root }, undefined, "unknown", async () => work())
  const { detail, files } = told!
  return [
    detail,
    ...files
      .map((file) => `${path.relative(root, file.path)}: ${textOf(file.before)} → ${textOf(file.after)}`)
      .sort(),
  ]
}

function textOf(content: SeenFile["before"]): string {
  if (!content) return "none"
  return "without" in content ? content.without : JSON.stringify(Buffer.from(content.bytes).toString())
}

test("a dirty work tree: only what changed meanwhile is seen, with its real content before", async () => {
  const { top } = temporaryRepository({
    "clean.txt": "clean\n",
    "dirty.txt": "committed\n",
    "same.txt": "x\n",
    "gone.txt": "gone\n",
  })
  put(top, { "dirty.txt": "dirty\n", "same.txt": "dirty, too\n", "untracked.txt": "u\n" })
  expect(
    await seen(top, () => {
      put(top, {
        "clean.txt": "changed\n",
        "dirty.txt": "dirtier\n",
        "untracked.txt": "v\n",
        "new/file": "n\n",
      })
      fs.rmSync(path.join(top, "gone.txt"))
    }),
  ).toEqual([
    "content",
    'clean.txt: "clean\\n" → "changed\\n"',
    'dirty.txt: "dirty\\n" → "dirtier\\n"',
    'gone.txt: "gone\\n" → none',
    'new/file: none → "n\\n"',
    'untracked.txt: "u\\n" → "v\\n"',
  ])
})

test("what git does itself is seen: a checkout, a commit, a stash", async () => {
  const { top } = temporaryRepository({ "a.txt": "one\n", "b.txt": "b\n" })
  put(top, { "a.txt": "dirty\n" })
  expect(await seen(top, () => git(top, "checkout", "--", "a.txt"))).toEqual([
    "content",
    'a.txt: "dirty\\n" → "one\\n"',
  ])
  expect(
    await seen(top, () => {
      put(top, { "b.txt": "committed\n" })
      commit(top)
    }),
  ).toEqual(["content", 'b.txt: "b\\n" → "committed\\n"'])
  put(top, { "b.txt": "dirty\n" })
  expect(await seen(top, () => git(top, "stash"))).toEqual(["content", 'b.txt: "dirty\\n" → "committed\\n"'])
})

test("only the workspace is looked at, and neither ignored files nor other repositories in it", async () => {
  const { top } = temporaryRepository({ ".gitignore": "ignored/\n", "sub/a.txt": "a\n", "other.txt": "o\n" })
  const inner = path.join(top, "sub/inner")
  fs.mkdirSync(inner)
  git(inner, "init", "--quiet")
  put(inner, { "file.txt": "x\n" })
  git(inner, "add", "--all")
  put(top, { "ignored/big.txt": "b\n", "sub/ignored/x": "x\n" })
  expect(
    await seen(path.join(top, "sub"), () =>
      put(top, {
        "sub/a.txt": "b\n",
        "other.txt": "p\n",
        "sub/ignored/x": "y\n",
        "sub/inner/file.txt": "y\n",
      }),
    ),
  ).toEqual(["content", 'a.txt: "a\\n" → "b\\n"'])
})

test("a file that a command takes from the ignored ones is not new", async () => {
  const { top } = temporaryRepository({ ".gitignore": "ignored\n" })
  put(top, { ignored: "old\n" })
  // File systems give times that are some milliseconds old.
  const old = fs.statSync(path.join(top, "ignored")).birthtimeMs
  await expect.poll(() => Date.now() - old, { timeout: 5_000 }).toBeGreaterThan(100)
  expect(await seen(top, () => put(top, { ".gitignore": "" }))).toEqual([
    "content",
    '.gitignore: "ignored\\n" → ""',
    'ignored: unknown → "old\\n"',
  ])
})

test("line endings that git converts are kept as they were, and filtered files are not known", async () => {
  const { top } = temporaryRepository({
    ".gitattributes": "*.crlf text eol=crlf\n*.kept filter=kept\n",
    "a.crlf": "one\r\ntwo\r\n",
  })
  git(top, "config", "filter.kept.clean", "sed s/!$// | tr a-z A-Z")
  git(top, "config", "filter.kept.smudge", "tr A-Z a-z | sed s/$/!/")
  put(top, { "b.kept": "word\n" })
  commit(top)
  fs.rmSync(path.join(top, "b.kept"))
  git(top, "checkout", "--", "b.kept")
  // Git knows the times of files that are older than its index, and does not compare their content.
  const past = Date.now() / 1000 - 3_600
  fs.utimesSync(path.join(top, "b.kept"), past, past)
  git(top, "status")
  expect(contents(top)["b.kept"]).toBe("word!\n")
  expect(git(top, "show", "HEAD:a.crlf")).toBe("one\ntwo\n")
  expect(await seen(top, () => put(top, { "a.crlf": "one\r\n2\r\n", "b.kept": "x" }))).toEqual([
    "content",
    'a.crlf: "one\\r\\ntwo\\r\\n" → "one\\r\\n2\\r\\n"',
    'b.kept: filter → "x"',
  ])
})

test("files that a run may not read, and files of secrets, are only named", async () => {
  const { top } = temporaryRepository({ "a.txt": "a\n", ".env": "KEY=1\n", "private/b.txt": "b\n" })
  expect(
    await seen(
      top,
      () => put(top, { "a.txt": "b\n", ".env": "KEY=2\n", "private/b.txt": "c\n", "private/.env": "x" }),
      (access) => access.type !== "read" || !access.path.includes("/private/"),
    ),
  ).toEqual([
    "content",
    ".env: secret → secret",
    'a.txt: "a\\n" → "b\\n"',
    "private/.env: none → secret",
    "private/b.txt: secret → secret",
  ])
})

test("a repository that git does not accept, or that is damaged, gives no content", async () => {
  const root = temporaryFolder({ ".git/HEAD": "nonsense", "a.txt": "a\n" })
  expect(await seen(root, () => put(root, { "a.txt": "b\n" }))).toEqual(["names", 'a.txt: unknown → "b\\n"'])
})

test("a command that throws is seen, too", async () => {
  const { top } = temporaryRepository({ "a.txt": "a\n" })
  await expect(
    seen(top, () => {
      throw new Error("ended badly")
    }),
  ).rejects.toThrow("ended badly")
})

test("no file of the repository is written, not even the times in the index", async () => {
  const { top } = temporaryRepository({ "a.txt": "a\n" })
  put(top, { "a.txt": "b\n" })
  put(top, { "a.txt": "a\n" })
  const stamp = () => {
    const stats = fs.statSync(path.join(top, ".git/index"), { bigint: true })
    return [stats.mtimeNs, stats.ino, contents(path.join(top, ".git"))]
  }
  const before = stamp()
  await seen(top, () => put(top, { "a.txt": "c\n", "n.txt": "n\n" }))
  expect(stamp()).toEqual(before)
})
