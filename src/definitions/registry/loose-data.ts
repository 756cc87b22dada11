import { isMap, type Json } from "../../ground/message.ts"
import { cadre } from "../formats/cadre.ts"
import { findNearMiss } from "../formats/fields/near-miss.ts"
import type { Format } from "../formats/format.ts"
import { gobby } from "../formats/gobby.ts"

/**
 * The format of YAML or JSON outside every known folder, by its keys, because any tool uses these endings. Undefined:
 * its keys are not those of an agent.
 */
export function detectDataFormat(value: Json | undefined): Format | undefined {
  // The reader of the format reports invalid text.
  if (value === undefined || value === null) return cadre
  if (!isMap(value)) return undefined
  const keys = Object.keys(value)
  const unknown = ({ fields }: Format) => {
    const knownKeys = keysOf(fields)
    return keys.filter((key) => !knownKeys.has(key)).length
  }
  const isLikeGobby = "instructions" in value || "workflows" in value
  if (isLikeGobby && unknown(gobby) + 2 <= unknown(cadre)) return gobby
  if (keys.some((key) => ofAgents.has(key) || findNearMiss(key, ofAgents)?.same)) return cadre
  const cadreKeys = keysOf(cadre.fields)
  const isDescribed = "description" in value && keys.some((key) => cadreKeys.has(key) && !common.has(key))
  return isDescribed || keys.every((key) => common.has(key)) ? cadre : undefined
}

const keysOf = (fields: Format["fields"]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]))

/** One of these keys is enough to make an agent. */
const ofAgents: ReadonlySet<string> = new Set([
  "executor",
  "instructions",
  "pipeline",
  "prompt",
  "system",
  "systemPrompt",
])

/** Keys of agents that other files often have too. */
const common: ReadonlySet<string> = new Set(
  "aliases color context description extensions hidden hooks keywords label metadata name output rules variables workflow".split(
    " ",
  ),
)
