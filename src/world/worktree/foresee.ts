import fs from "node:fs"
import path from "node:path"
import type { IsolationPlan } from "../../agent/isolation.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { findSystemProgram } from "../../ground/system-program.ts"
import { createNotInRepositoryError, planFor, type Repository } from "./plan.ts"

/**
 * Plans the worktree of a run from git's files alone: nothing is run. Throws a Refusal if the run can have
 * none.
 */
export function foreseeWorktree(folder: string, run: string, cwd: string): IsolationPlan {
  if (findSystemProgram("git") === undefined) throw new PathRefusal("git is not installed")
  return planFor(repositoryAt(cwd), folder, run, cwd)
}

function repositoryAt(cwd: string): Repository {
  let top = fs.realpathSync(cwd)
  for (;;) {
    const gitFolder = gitFolderOf(path.join(top, ".git"))
    if (gitFolder !== undefined) return repositoryIn(top, gitFolder)
    const above = path.dirname(top)
    if (above === top) throw createNotInRepositoryError(cwd)
    top = above
  }
}

/** A linked worktree and a submodule have a file in its place, which names the folder. */
function gitFolderOf(place: string): string | undefined {
  const [, target] = /^gitdir: (.+)/.exec(readText(place) ?? "") ?? []
  const folder = target === undefined ? place : path.resolve(path.dirname(place), target.trim())
  return readText(path.join(folder, "HEAD")) === undefined ? undefined : folder
}

function repositoryIn(top: string, gitFolder: string): Repository {
  const shared = readText(path.join(gitFolder, "commondir"))?.trim()
  const common = shared === undefined ? gitFolder : path.resolve(gitFolder, shared)
  const [outer] = gitFolder.split(`${path.sep}.git${path.sep}modules${path.sep}`)
  return {
    top,
    common,
    outer: outer === gitFolder || outer === undefined ? "" : outer,
    base: commitOf(gitFolder, common),
  }
}

/**
 * The current commit; undefined if there is none yet. It is `HEAD` where references are not kept as files.
 */
function commitOf(gitFolder: string, common: string): string | undefined {
  if (fs.existsSync(path.join(common, "reftable"))) return "HEAD"
  const head = readText(path.join(gitFolder, "HEAD"))?.trim() ?? ""
  const [, reference] = /^ref: (refs\/\S+)$/.exec(head) ?? []
  if (reference === undefined) return isCommit(head) ? head : undefined
  const [, packed] =
    (readText(path.join(common, "packed-refs")) ?? "")
      .split("\n")
      .map((line) => line.split(" "))
      .find(([, name]) => name === reference)
      ?.toReversed() ?? []
  return [readText(path.join(common, reference))?.trim(), packed].find(isCommit)
}

const isCommit = (text: string | undefined): text is string =>
  text !== undefined && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text)

function readText(file: string): string | undefined {
  try {
    return fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8") : undefined
  } catch {
    return undefined
  }
}
