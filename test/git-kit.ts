import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { put, temporaryFolder } from "./file-kit.ts"

/** Runs git as a person would, with nothing of whoever runs the tests. */
export const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync("git", words, {
    cwd: folder,
    env: person,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  })

const person = {
  PATH: process.env.PATH,
  TMPDIR: os.tmpdir(),
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Person",
  GIT_AUTHOR_EMAIL: "person@example.com",
  GIT_COMMITTER_NAME: "Person",
  GIT_COMMITTER_EMAIL: "person@example.com",
}

/** A repository with one commit, and a folder beside it for worktrees. */
export function temporaryRepository(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): {
  readonly top: string
  readonly worktrees: string
} {
  const base = temporaryFolder()
  const top = path.join(base, "repository")
  fs.mkdirSync(top)
  git(top, "init", "--quiet", "--initial-branch", "main")
  put(top, files)
  commit(top)
  return { top, worktrees: path.join(base, "state", "worktrees") }
}

export function commit(folder: string): void {
  git(folder, "add", "--all")
  git(folder, "commit", "--quiet", "--message", "Change")
}

/** What git knows of: branches and worktrees, the main one left out. */
export const known = (top: string): { branches: readonly string[]; worktrees: readonly string[] } => ({
  branches: lines(git(top, "for-each-ref", "--format=%(refname:short)", "refs/heads")).filter(
    (name) => name !== "main",
  ),
  worktrees: lines(git(top, "worktree", "list", "--porcelain"))
    .filter((line) => line.startsWith("worktree "))
    .map((line) => line.slice("worktree ".length))
    .filter((place) => place !== top),
})

const lines = (text: string): readonly string[] => text.split("\n").filter(Boolean)
