import type { ModelChoice } from "../../agent/agent.ts"
import type { ExecutorSettings } from "../../agent/executor.ts"
import { builtInProviders } from "../models/providers.ts"

/**
 * The model that a program is handed, as it may know it: of a list the first, of an object its model, of a name its part
 * behind the provider. Undefined where it chooses itself.
 */
export function handedModel(
  { options = {} }: Pick<ExecutorSettings, "options">,
  choice: ModelChoice,
): string | undefined {
  if (!options.model) return undefined
  const [first] = Array.isArray(choice) ? choice : [choice]
  if (typeof first === "string") return first === "inherit" ? undefined : withoutProvider(first)
  return first?.model === undefined ? undefined : withoutProvider(first.model)
}

/** `anthropic:claude-opus-4-7` is how cadre writes it. A colon behind anything else is part of the name: `llama3:8b`. */
function withoutProvider(name: string): string {
  const colon = name.indexOf(":")
  const provider = name.slice(0, Math.max(colon, 0)).toLowerCase()
  const isKnown = builtInProviders.some(
    ({ id, aliases = [] }) => id === provider || aliases.includes(provider),
  )
  return isKnown && colon < name.length - 1 ? name.slice(colon + 1) : name
}
