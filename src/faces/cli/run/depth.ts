import { CadreError } from "../../../ground/errors.ts"
import { defaultLimits } from "../../../ground/limits.ts"
import { depthName } from "../../../world/sandbox/child-environment.ts"
import type { Surroundings } from "../command.ts"
import { UsageError } from "../usage-error.ts"

/**
 * How deep a run is that a command of another one starts: below that one, so that a hook whose command starts runs under
 * the same hook comes to an end. Throws where that is deeper than runs may be.
 */
export function depthOf(
  { environment }: Pick<Surroundings, "environment">,
  maxDepth: number = defaultLimits.maxDepth,
): { readonly depth?: number } {
  const text = environment[depthName]
  if (text === undefined) return {}
  if (!/^\d{1,6}$/.test(text))
    throw new UsageError(
      `${depthName} is ${JSON.stringify(text)}, but it counts levels from 0; cadre sets it for the commands of runs. Unset it.`,
    )
  const depth = Number(text)
  if (depth <= maxDepth) return { depth }
  throw new CadreError(
    "LIMIT_INVALID",
    `Maximum subagent nesting depth (${maxDepth}) reached. A command of a run at depth ${depth - 1} cannot start another run. Have a hook use \`spawn_agent\`, or set \`limits.maxDepth\`.`,
  )
}
