import { CadreError } from "../../../ground/errors.ts"
import { defaultLimits } from "../../../ground/limits.ts"
import { depthName } from "../../../world/sandbox/child-environment.ts"
import type { ProcessContext } from "../command.ts"
import { UsageError } from "../usage-error.ts"

/**
 * The depth of a run that is started by a command of another run: one level deeper than that run. So a hook whose command
 * starts a run with the same hook reaches the depth limit. Throws if the limit is exceeded.
 */
export function readRunDepth(
  { environment }: Pick<ProcessContext, "environment">,
  maxDepth: number = defaultLimits.maxDepth,
): { readonly depth?: number } {
  const text = environment[depthName]
  if (text === undefined) return {}
  if (!/^\d{1,6}$/.test(text))
    throw new UsageError(
      `${depthName} is ${JSON.stringify(text)}, but must be a number from 0. Cadre sets it for the commands of runs. Unset it.`,
    )
  const depth = Number(text)
  if (depth <= maxDepth) return { depth }
  throw new CadreError(
    "LIMIT_INVALID",
    `Maximum subagent nesting depth (${maxDepth}) reached. A command of a run at depth ${depth - 1} cannot start another run. Have a hook use \`spawn_agent\`, or set \`limits.maxDepth\`.`,
  )
}
