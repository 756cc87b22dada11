import { lstatSync } from "node:fs"
import path from "node:path"
import { now } from "../../run/log/clock.ts"
import { readSourceFile } from "../formats/source.ts"
import { block } from "./block.ts"

/** Where a run works. Of the time only the day, so that a provider's cache can still know the prompt. */
export function environmentBlock(cwd: string, repository: string): string {
  const lines = [
    `Working directory: ${/\p{Cc}/u.test(cwd) ? JSON.stringify(cwd) : cwd}`,
    `Platform: ${process.platform}`,
    `Today: ${dayOf(new Date(now()))}`,
    `Git repository: ${repository}`,
  ]
  return block("environment", {}, lines.join("\n"))
}

const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((number) => String(number).padStart(2, "0"))
    .join("-")

/** From the repository's own files: no program is run for it. */
export function repositoryAt(root: string): string {
  const git = path.join(root, ".git")
  const kind = lstatSync(git, { throwIfNoEntry: false })
  if (!kind) return "no"
  // A worktree has a file that says where its own folder is.
  const folder = kind.isFile() ? /^gitdir: (.+)$/m.exec(textOf(git))?.[1] : git
  const head = folder === undefined ? "" : textOf(path.join(path.resolve(root, folder.trim()), "HEAD"))
  const branch = /^ref: refs\/heads\/(\S{1,200})\s*$/.exec(head)?.[1]
  return branch === undefined ? "yes" : `yes, on the branch ${branch}`
}

function textOf(file: string): string {
  const reading = readSourceFile(file)
  return reading.type === "source" ? reading.source.text : ""
}
