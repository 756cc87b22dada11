import type { Access, ToolContext, ToolOutput, WorkPlace } from "../../../agent/tool.ts"
import { describeThrown } from "../../../ground/errors.ts"
import { removeFile, replaceFile } from "../../../ground/paths/change-file.ts"
import { PathRefusal, toPathRefusal } from "../../../ground/paths/refusal.ts"
import { makeChange, toFileContent } from "../file-text/keep-change.ts"
import { parsePatch } from "../patch/parse.ts"
import { type PatchStep, planPatch } from "../patch/plan.ts"
import type { ToolWorkspace } from "../workspace.ts"

export interface ApplyPatchInput {
  readonly patch: string
}

/** Changes all the files of a patch, or none. */
export async function applyPatch(
  workspace: ToolWorkspace,
  input: ApplyPatchInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { patch } = input
  const { steps, files, summaries } = await planPatch(workspace, parsePatch(patch), context)
  await perform(steps, context)
  const already = steps.length === 0 ? " This was already done before the process was interrupted." : ""
  return { text: `The patch was applied: ${summaries.join("; ")}.${already}`, evidence: { files } }
}

/** The files that a patch would change; unclear if the patch cannot be read. */
export function patchAccesses(
  workspace: ToolWorkspace,
  { patch }: ApplyPatchInput,
  place: WorkPlace,
): readonly Access[] {
  try {
    return parsePatch(patch)
      .flatMap((change) =>
        change.type === "update" && change.moveTo !== undefined
          ? [change.path, change.moveTo]
          : [change.path],
      )
      .map((name) => workspace.access(name, "write", place))
  } catch (error) {
    if (error instanceof PathRefusal) return [{ type: "unclear", reason: error.message }]
    throw error
  }
}

/** If a step fails, the steps before it are undone. */
async function perform(steps: readonly PatchStep[], context: ToolContext): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const step of steps) undo.unshift(await take(step, context))
  } catch (error) {
    const refusal = toPathRefusal(error, "The patch")
    const stuck: string[] = []
    for (const back of undo) await back().catch((failure) => stuck.push(describeThrown(failure)))
    throw new PathRefusal(
      stuck.length === 0
        ? `${refusal.message} The patch failed as a whole: all files are as they were before.`
        : `${refusal.message} The patch failed, and not all files could be restored: ${stuck.join(" ")} Read these files before you go on.`,
    )
  }
}

/** Performs a step and returns a function that undoes it. */
async function take(step: PatchStep, context: ToolContext): Promise<() => Promise<unknown>> {
  if (step.type === "remove") {
    const { base, path, bytes, stats } = step.before
    const content = toFileContent(bytes, step.before)
    await makeChange(context, { path, before: content }, () => removeFile(base, path, step.before))
    return () =>
      makeChange(context, { path, after: content }, () =>
        replaceFile(base, path, bytes, { expected: "absent", like: stats }),
      )
  }
  const { to, bytes, before, like } = step
  const [old, now] = [before && toFileContent(before.bytes, before), toFileContent(bytes, before ?? like)]
  const written = await makeChange(context, { path: to.path, ...(old && { before: old }), after: now }, () =>
    replaceFile(to.base, to.path, bytes, {
      expected: before ?? "absent",
      ...(like && { like: like.stats }),
    }),
  )
  return () =>
    makeChange(context, { path: to.path, before: now, ...(old && { after: old }) }, async () => {
      if (before) await replaceFile(to.base, to.path, before.bytes, { expected: written, like: before.stats })
      else await removeFile(to.base, to.path, written)
    })
}
