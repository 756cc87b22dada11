import type { ToolContext } from "../../../agent/tool.ts"
import { Refusal } from "../../../ground/paths/refusal.ts"
import { type LoadedFile, loadFile, refuseFixed, refuseStale, sha256 } from "../file-text/loaded-file.ts"
import type { Usable, Workspace } from "../workspace.ts"
import { applyHunks } from "./apply.ts"
import { type FileChange, inverted } from "./patch.ts"

/** One thing to do to one file, checked. */
export type Step =
  | {
      readonly type: "write"
      readonly to: Usable
      readonly bytes: Buffer
      readonly before?: LoadedFile
      readonly like?: LoadedFile
    }
  | { readonly type: "remove"; readonly before: LoadedFile }

export interface Plan {
  readonly steps: readonly Step[]
  /** What the files are when all is done. */
  readonly files: readonly { readonly path: string; readonly hash: string }[]
  readonly said: readonly string[]
}

/** Checks every file of a patch before any is touched. Throws a Refusal. */
export async function planPatch(
  workspace: Workspace,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<Plan> {
  const plans: Plan[] = []
  const used = new Set<string>()
  const use = (given: string) => {
    const place = workspace.use(given, "write", context)
    if (used.has(place.path))
      throw new Refusal(
        `The patch names ${place.path} twice; nothing was changed. Put all its changes in one section.`,
      )
    used.add(place.path)
    return place
  }
  for (const change of changes) plans.push(await planChange(change, use, context))
  return {
    steps: plans.flatMap(({ steps }) => steps),
    files: plans.flatMap(({ files }) => files),
    said: plans.flatMap(({ said }) => said),
  }
}

type Use = (given: string) => Usable

async function planChange(change: FileChange, use: Use, context: ToolContext): Promise<Plan> {
  const place = use(change.path)
  const file = await loadFile(place, context)
  switch (change.type) {
    case "add": {
      const bytes = Buffer.from(change.content)
      const files = [{ path: place.path, hash: sha256(bytes) }]
      if (context.repeated && file?.bytes.equals(bytes))
        return { steps: [], files, said: [`added ${place.path}`] }
      if (file)
        throw new Refusal(`${place.path} exists already, so nothing was changed. Use "*** Update File: ".`)
      return { steps: [{ type: "write", to: place, bytes }], files, said: [`added ${place.path}`] }
    }
    case "delete": {
      const said = [`deleted ${place.path}`]
      if (!file && context.repeated && context.seen(place.path) !== undefined)
        return { steps: [], files: [], said }
      return { steps: [{ type: "remove", before: checked(file, place.path, context) }], files: [], said }
    }
    case "update":
      return change.moveTo === undefined
        ? planUpdate(change, place, file, context)
        : planMove(change, place, file, use(change.moveTo), context)
  }
}

type Update = FileChange & { readonly type: "update" }

function planUpdate(change: Update, place: Usable, file: LoadedFile | undefined, context: ToolContext): Plan {
  const said = [`updated ${place.path}`]
  if (file && isUpdated(change, file, context.seen(place.path), context))
    return { steps: [], files: [{ path: file.path, hash: file.hash }], said }
  const before = checked(file, place.path, context)
  const bytes = updated(change, before)
  return {
    steps: [{ type: "write", to: place, bytes, before }],
    files: [{ path: place.path, hash: sha256(bytes) }],
    said,
  }
}

async function planMove(
  change: Update,
  place: Usable,
  file: LoadedFile | undefined,
  to: Usable,
  context: ToolContext,
): Promise<Plan> {
  const said = [`moved ${place.path} to ${to.path}`]
  const there = await loadFile(to, context)
  if (!file && there && isUpdated(change, there, context.seen(place.path), context))
    return { steps: [], files: [{ path: to.path, hash: there.hash }], said }
  const before = checked(file, place.path, context)
  const bytes = updated(change, before)
  const files = [{ path: to.path, hash: sha256(bytes) }]
  const remove: Step = { type: "remove", before }
  if (context.repeated && there?.bytes.equals(bytes)) return { steps: [remove], files, said }
  if (there)
    throw new Refusal(`${to.path} exists already, so nothing was changed. Choose another name to move to.`)
  return { steps: [{ type: "write", to, bytes, like: before }, remove], files, said }
}

/** Whether the file is what this change has made of the content that the run had seen. */
function isUpdated(
  change: Update,
  file: LoadedFile,
  seen: string | undefined,
  context: ToolContext,
): boolean {
  if (!context.repeated || seen === undefined) return false
  if (change.moveTo === undefined && file.hash === seen) return false
  const undone = applyHunks(file.bytes, change.hunks.map(inverted))
  return "bytes" in undone && sha256(undone.bytes) === seen
}

function checked(file: LoadedFile | undefined, path: string, context: ToolContext): LoadedFile {
  if (!file)
    throw new Refusal(
      `${path} does not exist, so nothing was changed. Look with LS or Glob for what is there.`,
    )
  refuseStale(file, context)
  refuseFixed(file)
  return file
}

function updated(change: Update, before: LoadedFile): Buffer {
  const applied = applyHunks(before.bytes, change.hunks)
  if ("problem" in applied)
    throw new Refusal(`The patch does not fit ${before.path}, so nothing was changed: ${applied.problem}`)
  return applied.bytes
}
