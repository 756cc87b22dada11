import type { ModelChoice } from "../agent.ts"
import type { ExecutorSettings } from "../executor.ts"

/**
 * The model that a program is handed, as it may know it: of a list the first, of an object its model. Undefined where it
 * chooses itself.
 */
export function handedModel(
  { options = {} }: Pick<ExecutorSettings, "options">,
  choice: ModelChoice,
): string | undefined {
  if (!options.model) return undefined
  const [first] = Array.isArray(choice) ? choice : [choice]
  if (typeof first === "string") return first === "inherit" ? undefined : first
  return first?.model
}
