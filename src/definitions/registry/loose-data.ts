import { isMap, type Json } from "../../ground/message.ts"
import { cadre } from "../formats/cadre.ts"
import { nearMiss } from "../formats/fields/near-miss.ts"
import type { Format } from "../formats/format.ts"
import { gobby } from "../formats/gobby.ts"

/**
 * The format of YAML or JSON that lies anywhere, by its keys: anything ends like that. Undefined: it has keys, and
 * not those that make an agent.
 */
export function formatOfData(value: Json | undefined): Format | undefined {
  // What does not read is told by the reader.
  if (value === undefined || value === null) return cadre
  if (!isMap(value)) return undefined
  const keys = Object.keys(value)
  const unknown = ({ fields }: Format) => {
    const known = keysOf(fields)
    return keys.filter((key) => !known.has(key)).length
  }
  const isLikeGobby = "instructions" in value || "workflows" in value
  if (isLikeGobby && unknown(gobby) + 2 <= unknown(cadre)) return gobby
  if (keys.some((key) => ofAgents.has(key) || nearMiss(key, ofAgents)?.same)) return cadre
  const known = keysOf(cadre.fields)
  const isDescribed = "description" in value && keys.some((key) => known.has(key) && !common.has(key))
  return isDescribed || keys.every((key) => common.has(key)) ? cadre : undefined
}

const keysOf = (fields: Format["fields"]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ key, aliases = [] }) => [key, ...aliases]))

/** One of them is enough. */
const ofAgents: ReadonlySet<string> = new Set([
  "executor",
  "instructions",
  "pipeline",
  "prompt",
  "system",
  "systemPrompt",
])

/** Keys of agents that anything else may have as well. */
const common: ReadonlySet<string> = new Set(
  "aliases color context description extensions hidden hooks keywords label metadata name output rules variables workflow".split(
    " ",
  ),
)
