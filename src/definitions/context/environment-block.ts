import { lstatSync } from "node:fs"
import path from "node:path"
import { readClock } from "../../run/log/clock.ts"
import { readSourceFile } from "../formats/source.ts"
import { formatBlock } from "./block.ts"

/** Describes where and when a run works. It names only the day, so that a provider can still cache the prompt. */
export function describeEnvironment(cwd: string, repository: string): string {
  const lines = [
    `Working directory: ${/\p{Cc}/u.test(cwd) ? JSON.stringify(cwd) : cwd}`,
    `Platform: ${process.platform}`,
    `Today: ${dayOf(new Date(readClock()))}`,
    `Git repository: ${repository}`,
  ]
  return formatBlock("environment", {}, lines.join("\n"))
}

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((number) => String(number).padStart(2, "0"))
    .join("-")

/** Reads the branch from the repository's own files, without running a program. */
export function describeRepository(root: string): string {
  const git = path.join(root, ".git")
  const kind = lstatSync(git, { throwIfNoEntry: false })
  if (!kind) return "no"
  // In a worktree `.git` is a file that names its folder.
  const folder = kind.isFile() ? /^gitdir: (.+)$/m.exec(textOf(git))?.[1] : git
  const head = folder === undefined ? "" : textOf(path.join(path.resolve(root, folder.trim()), "HEAD"))
  const branch = /^ref: refs\/heads\/(\S{1,200})\s*$/.exec(head)?.[1]
  return branch === undefined ? "yes" : `yes, on the branch ${branch}`
}

function textOf(file: string): string {
  const reading = readSourceFile(file)
  return reading.type === "source" ? reading.source.text : ""
}
