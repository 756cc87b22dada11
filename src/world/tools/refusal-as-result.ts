import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import { PathRefusal, toPathRefusal } from "../../ground/paths/refusal.ts"

/**
 * Turns a refusal, or a failure of the file system, into the result of the call, because the model can
 * correct it. Any other error is a fault of cadre.
 */
export function convertRefusals<Input>(
  execute: (input: Input, context: ToolContext) => Promise<ToolOutput>,
): (input: Input, context: ToolContext) => Promise<ToolOutput> {
  return async (input, context) => {
    try {
      return await execute(input, context)
    } catch (error) {
      const { syscall, path } = error as NodeJS.ErrnoException
      const isExpected = error instanceof PathRefusal || syscall !== undefined
      if (!isExpected) throw error
      return { text: toPathRefusal(error, (path ?? "The path").slice(0, 300)).message, isError: true }
    }
  }
}
