import type { ModelChoice } from "../../agent/agent.ts"
import type { ExecutorSettings } from "../../agent/executor.ts"
import { builtInProviders } from "../models/providers.ts"

/**
 * The model name that a program is given, without its provider. Of a list the first choice is used, of an object its
 * `model`. Undefined: the program chooses its own model.
 */
export function chooseExecutorModel(
  { options = {} }: Pick<ExecutorSettings, "options">,
  choice: ModelChoice,
): string | undefined {
  if (!options.model) return undefined
  const [first] = Array.isArray(choice) ? choice : [choice]
  if (typeof first === "string") return first === "inherit" ? undefined : withoutProvider(first)
  return first?.model === undefined ? undefined : withoutProvider(first.model)
}

/** Removes the provider, as in `anthropic:claude-opus-4-7`. Other colons are part of the name: `llama3:8b`. */
function withoutProvider(name: string): string {
  const colon = name.indexOf(":")
  const provider = name.slice(0, Math.max(colon, 0)).toLowerCase()
  const isKnown = builtInProviders.some(
    ({ id, aliases = [] }) => id === provider || aliases.includes(provider),
  )
  return isKnown && colon < name.length - 1 ? name.slice(colon + 1) : name
}
