import { CadreError } from "../../../ground/errors.ts"
import { defaultLimits } from "../../../ground/limits.ts"
import { depthName } from "../../../world/sandbox/child-environment.ts"
import type { ProcessContext } from "../command.ts"
import { UsageError } from "../usage-error.ts"

/**
 * Reads the depth of a run that a command of another run starts. The environment has it: one level below the other run. It
 * stops a hook whose command starts a run with the same hook. Throws if the depth is invalid or above the limit.
 */
export function readRunDepth(
  { environment }: Pick<ProcessContext, "environment">,
  maxDepth: number = defaultLimits.maxDepth,
): { readonly depth?: number } {
  const text = environment[depthName]
  if (text === undefined) return {}
  if (!/^\d{1,6}$/.test(text))
    throw new UsageError(
      `${depthName} is ${JSON.stringify(text)}, but must be 0 or a positive number. cadre sets it for the shell commands that a run executes. Unset it.`,
    )
  const depth = Number(text)
  if (depth <= maxDepth) return { depth }
  throw new CadreError(
    "LIMIT_INVALID",
    `Maximum subagent nesting depth (${maxDepth}) reached. A command of a run at depth ${depth - 1} cannot start another run. Raise \`limits.maxDepth\`. If a hook started this command, use its effect \`spawn_agent\` instead.`,
  )
}
