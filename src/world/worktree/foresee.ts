import fs from "node:fs"
import path from "node:path"
import type { IsolationPlan } from "../../agent/isolation.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import { fixedProgram } from "../tools/fixed-program.ts"
import { inNone, planFor, type Repository } from "./plan.ts"

/** Where a run would have its worktree, from git's files alone: nothing is run. Throws a Refusal where it can have none. */
export function foreseeWorktree(folder: string, run: string, cwd: string): IsolationPlan {
  if (fixedProgram("git") === undefined) throw new Refusal("git is not installed here")
  return planFor(repositoryAt(cwd), folder, run, cwd)
}

function repositoryAt(cwd: string): Repository {
  let top = fs.realpathSync(cwd)
  for (;;) {
    const gitFolder = gitFolderOf(path.join(top, ".git"))
    if (gitFolder !== undefined) return repositoryIn(top, gitFolder)
    const above = path.dirname(top)
    if (above === top) throw inNone(cwd)
    top = above
  }
}

/** A linked tree and a submodule have a file in its place that names it. */
function gitFolderOf(place: string): string | undefined {
  const [, named] = /^gitdir: (.+)/.exec(textOf(place) ?? "") ?? []
  const folder = named === undefined ? place : path.resolve(path.dirname(place), named.trim())
  return textOf(path.join(folder, "HEAD")) === undefined ? undefined : folder
}

function repositoryIn(top: string, gitFolder: string): Repository {
  const shared = textOf(path.join(gitFolder, "commondir"))?.trim()
  const common = shared === undefined ? gitFolder : path.resolve(gitFolder, shared)
  const [outer] = gitFolder.split(`${path.sep}.git${path.sep}modules${path.sep}`)
  return {
    top,
    common,
    outer: outer === gitFolder || outer === undefined ? "" : outer,
    base: commitOf(gitFolder, common),
  }
}

/** Undefined: there is none yet. Where references are not kept as files, it goes by its name. */
function commitOf(gitFolder: string, common: string): string | undefined {
  if (fs.existsSync(path.join(common, "reftable"))) return "HEAD"
  const head = textOf(path.join(gitFolder, "HEAD"))?.trim() ?? ""
  const [, reference] = /^ref: (refs\/\S+)$/.exec(head) ?? []
  if (reference === undefined) return isCommit(head) ? head : undefined
  const [, packed] =
    (textOf(path.join(common, "packed-refs")) ?? "")
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, name]) => name === reference)
      ?.toReversed() ?? []
  return [textOf(path.join(common, reference))?.trim(), packed].find(isCommit)
}

const isCommit = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)

function textOf(file: string): string | undefined {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8") : undefined
  } catch {
    return undefined
  }
}
