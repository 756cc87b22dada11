import { messageOf } from "../errors.ts"
import { removeFile, replaceFile } from "../paths/change-file.ts"
import { Refusal, refusalOf } from "../paths/refusal.ts"
import { type Access, defineTool, type Tool, type WorkPlace } from "../tool.ts"
import { aliased } from "./aliased.ts"
import { parsePatch } from "./patch-parse.ts"
import { planPatch, type Step } from "./patch-plan.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

interface ApplyPatchInput {
  readonly patch: string
}

const prompt = `Change several files at once: all of them, or none where anything does not fit. Files that exist must have been read in this run.
*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ function name() {
 a line that stays
-a line to remove
+a line to add
*** Add File: new.txt
+each line of it
*** Delete File: old.txt
*** End Patch
"Move to" and the text after "@@", a line above the change, are optional. Give about three lines around a change, so that its place is clear. A unified diff ("--- a/path", "+++ b/path", "@@ -1,2 +1,2 @@") is taken as well.`

/** Applies a patch to several files. */
export function applyPatchTool(workspace: Workspace): Tool {
  return defineTool<ApplyPatchInput>({
    name: "ApplyPatch",
    description: prompt,
    effect: "idempotent",
    input: aliased<ApplyPatchInput>(
      {
        type: "object",
        properties: { patch: { type: "string", minLength: 1, description: "The whole patch." } },
        required: ["patch"],
        additionalProperties: false,
      },
      { input: "patch", diff: "patch" },
    ),
    resource: () => workspace.turn,
    accesses: ({ patch }, place) => accessesOf(workspace, patch, place),
    execute: worded(async ({ patch }, context) => {
      const { steps, files, said } = await planPatch(workspace, parsePatch(patch), context)
      await perform(steps)
      const already =
        steps.length === 0 ? " It had been done already before the process was interrupted." : ""
      return { text: `The patch was applied: ${said.join("; ")}.${already}`, evidence: { files } }
    }),
  })
}

function accessesOf(workspace: Workspace, patch: string, place: WorkPlace): readonly Access[] {
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
