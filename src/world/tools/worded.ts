import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import { Refusal, refusalOf } from "../../ground/paths/refusal.ts"

/** Makes a refusal, or a failure of the file system, the result of the call, because the model can mend it. What else is thrown is a fault of ours. */
export function worded<Input>(
  execute: (input: Input, context: ToolContext) => Promise<ToolOutput>,
): (input: Input, context: ToolContext) => Promise<ToolOutput> {
  return async (input, context) => {
    try {
      return await execute(input, context)
    } catch (error) {
      const { syscall, path } = error as NodeJS.ErrnoException
      const known = error instanceof Refusal || syscall !== undefined
      if (!known) throw error
      return { text: refusalOf(error, (path ?? "The path").slice(0, 300)).message, isError: true }
    }
  }
}
