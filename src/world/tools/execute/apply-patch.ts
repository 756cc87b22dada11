import type { Access, ToolContext, ToolOutput, WorkPlace } from "../../../agent/tool.ts"
import { messageOf } from "../../../ground/errors.ts"
import { removeFile, replaceFile } from "../../../ground/paths/change-file.ts"
import { Refusal, refusalOf } from "../../../ground/paths/refusal.ts"
import { parsePatch } from "../patch/parse.ts"
import { planPatch, type Step } from "../patch/plan.ts"
import type { Workspace } from "../workspace.ts"

export interface ApplyPatchInput {
  readonly patch: string
}

/** Changes all the files of a patch, or none. */
export async function applyPatch(
  workspace: Workspace,
  input: ApplyPatchInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { patch } = input
  const { steps, files, said } = await planPatch(workspace, parsePatch(patch), context)
  await perform(steps)
  const already = steps.length === 0 ? " It had been done already before the process was interrupted." : ""
  return { text: `The patch was applied: ${said.join("; ")}.${already}`, evidence: { files } }
}

/** What a patch would change; unclear where nobody can read it. */
export function patchAccesses(
  workspace: Workspace,
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
      .map((given) => workspace.access(given, "write", place))
  } catch (error) {
    if (error instanceof Refusal) return [{ type: "unclear", reason: error.message }]
    throw error
  }
}

/** Where a step fails, those before it are undone. */
async function perform(steps: readonly Step[]): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const step of steps) undo.unshift(await take(step))
  } catch (error) {
    const refusal = refusalOf(error, "The patch")
    const stuck: string[] = []
    for (const back of undo) await back().catch((failure) => stuck.push(messageOf(failure)))
    throw new Refusal(
      stuck.length === 0
        ? `${refusal.message} The patch failed as a whole: what had been written was put back.`
        : `${refusal.message} The patch failed, and could not all be put back: ${stuck.join(" ")} Read these files before you go on.`,
    )
  }
}

/** Returns what undoes it. */
async function take(step: Step): Promise<() => Promise<unknown>> {
  if (step.type === "remove") {
    const { base, path, bytes, stats } = step.before
    await removeFile(base, path, step.before)
    return () => replaceFile(base, path, bytes, { expected: "absent", like: stats })
  }
  const { to, bytes, before, like } = step
  const written = await replaceFile(to.base, to.path, bytes, {
    expected: before ?? "absent",
    ...(like && { like: like.stats }),
  })
  return () =>
    before
      ? replaceFile(to.base, to.path, before.bytes, { expected: written, like: before.stats })
      : removeFile(to.base, to.path, written)
}
