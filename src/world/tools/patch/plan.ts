import type { ToolContext } from "../../../agent/tool.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { hashBytes, type LoadedFile, loadFile, refuseFixed, refuseStale } from "../file-text/loaded-file.ts"
import type { ToolWorkspace, UsablePath } from "../workspace.ts"
import { applyHunks } from "./apply.ts"
import { type FileChange, invertHunk } from "./patch.ts"

/** One checked change to one file. */
export type PatchStep =
  | {
      readonly type: "write"
      readonly to: UsablePath
      readonly bytes: Buffer
      readonly before?: LoadedFile
      readonly like?: LoadedFile
    }
  | { readonly type: "remove"; readonly before: LoadedFile }

export interface PatchPlan {
  readonly steps: readonly PatchStep[]
  /** The files after all steps. */
  readonly files: readonly { readonly path: string; readonly hash: string }[]
  readonly summaries: readonly string[]
}

/** Checks every file of a patch before any is touched. Throws a Refusal. */
export async function planPatch(
  workspace: ToolWorkspace,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<PatchPlan> {
  const plans: PatchPlan[] = []
  const usedPaths = new Set<string>()
  const use = (name: string) => {
    const place = workspace.use(name, "write", context)
    if (usedPaths.has(place.path))
      throw new PathRefusal(
        `The patch names ${place.path} twice; nothing was changed. Put all its changes in one section.`,
      )
    usedPaths.add(place.path)
    return place
  }
  for (const change of changes) plans.push(await planChange(change, use, context))
  return {
    steps: plans.flatMap(({ steps }) => steps),
    files: plans.flatMap(({ files }) => files),
    summaries: plans.flatMap(({ summaries }) => summaries),
  }
}

type Use = (name: string) => UsablePath

async function planChange(change: FileChange, use: Use, context: ToolContext): Promise<PatchPlan> {
  const place = use(change.path)
  const file = await loadFile(place, context)
  switch (change.type) {
    case "add": {
      const bytes = Buffer.from(change.content)
      const files = [{ path: place.path, hash: hashBytes(bytes) }]
      if (context.repeated && file?.bytes.equals(bytes))
        return { steps: [], files, summaries: [`added ${place.path}`] }
      if (file)
        throw new PathRefusal(
          `${place.path} exists already, so nothing was changed. Use "*** Update File: ".`,
        )
      return { steps: [{ type: "write", to: place, bytes }], files, summaries: [`added ${place.path}`] }
    }
    case "delete": {
      const summaries = [`deleted ${place.path}`]
      if (!file && context.repeated && context.seen(place.path) !== undefined)
        return { steps: [], files: [], summaries: summaries }
      return {
        steps: [{ type: "remove", before: requireFile(file, place.path, context) }],
        files: [],
        summaries: summaries,
      }
    }
    case "update":
      return change.moveTo === undefined
        ? planUpdate(change, place, file, context)
        : planMove(change, place, file, use(change.moveTo), context)
  }
}

type Update = FileChange & { readonly type: "update" }

function planUpdate(
  change: Update,
  place: UsablePath,
  file: LoadedFile | undefined,
  context: ToolContext,
): PatchPlan {
  const summaries = [`updated ${place.path}`]
  if (file && isUpdated(change, file, context.seen(place.path), context))
    return { steps: [], files: [{ path: file.path, hash: file.hash }], summaries: summaries }
  const before = requireFile(file, place.path, context)
  const bytes = applyUpdate(change, before)
  return {
    steps: [{ type: "write", to: place, bytes, before }],
    files: [{ path: place.path, hash: hashBytes(bytes) }],
    summaries: summaries,
  }
}

async function planMove(
  change: Update,
  place: UsablePath,
  file: LoadedFile | undefined,
  to: UsablePath,
  context: ToolContext,
): Promise<PatchPlan> {
  const summaries = [`moved ${place.path} to ${to.path}`]
  const target = await loadFile(to, context)
  if (!file && target && isUpdated(change, target, context.seen(place.path), context))
    return { steps: [], files: [{ path: to.path, hash: target.hash }], summaries: summaries }
  const before = requireFile(file, place.path, context)
  const bytes = applyUpdate(change, before)
  const files = [{ path: to.path, hash: hashBytes(bytes) }]
  const remove: PatchStep = { type: "remove", before }
  if (context.repeated && target?.bytes.equals(bytes)) return { steps: [remove], files, summaries: summaries }
  if (target)
    throw new PathRefusal(
      `${to.path} exists already, so nothing was changed. Choose another name to move to.`,
    )
  return { steps: [{ type: "write", to, bytes, like: before }, remove], files, summaries: summaries }
}

/** True if the file is the result of this change to the content that the run had seen. */
function isUpdated(
  change: Update,
  file: LoadedFile,
  seen: string | undefined,
  context: ToolContext,
): boolean {
  if (!context.repeated || seen === undefined) return false
  if (change.moveTo === undefined && file.hash === seen) return false
  const reverted = applyHunks(file.bytes, change.hunks.map(invertHunk))
  return "bytes" in reverted && hashBytes(reverted.bytes) === seen
}

function requireFile(file: LoadedFile | undefined, path: string, context: ToolContext): LoadedFile {
  if (!file)
    throw new PathRefusal(
      `${path} does not exist, so nothing was changed. Use LS or Glob to see what exists.`,
    )
  refuseStale(file, context)
  refuseFixed(file)
  return file
}

function applyUpdate(change: Update, before: LoadedFile): Buffer {
  const applied = applyHunks(before.bytes, change.hunks)
  if ("problem" in applied)
    throw new PathRefusal(`The patch does not fit ${before.path}, so nothing was changed: ${applied.problem}`)
  return applied.bytes
}
