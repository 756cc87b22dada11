import { defineTool, type Tool } from "../../agent/tool.ts"
import { createAliasedSchema } from "./aliased.ts"
import type { ApplyPatchInput } from "./execute/apply-patch.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = `Change several files at once: all of them, or none if anything does not fit. Files that exist must have been read in this run.
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
"Move to" and the text after "@@", a line above the change, are optional. Give about three lines around a change, so that its place is clear. A unified diff ("--- a/path", "+++ b/path", "@@ -1,2 +1,2 @@") is accepted as well.`

/** Applies a patch to several files. */
export function createApplyPatchTool(workspace: ToolWorkspace): Tool {
  return defineTool<ApplyPatchInput>({
    name: "ApplyPatch",
    description: prompt,
    effect: "idempotent",
    input: createAliasedSchema<ApplyPatchInput>(
      {
        type: "object",
        properties: { patch: { type: "string", minLength: 1, description: "The whole patch." } },
        required: ["patch"],
        additionalProperties: false,
      },
      { input: "patch", diff: "patch" },
    ),
    resource: () => workspace.changeKey,
    accesses: async (input, place) => {
      const { patchAccesses } = await import("./execute/apply-patch.ts")
      return patchAccesses(workspace, input, place)
    },
    execute: convertRefusals(async (input, context) => {
      const { applyPatch } = await import("./execute/apply-patch.ts")
      return applyPatch(workspace, input, context)
    }),
  })
}
