import { hash } from "../../ground/crypto.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"

/** Hashes a value whatever the order of its keys is. Throws for a value that is nested too deeply. */
export const hashValue = (value: Json): string => hash("sha256", JSON.stringify(sortKeys(value)), "hex")

function sortKeys(value: Json): Json {
  // Lists and maps are marked, so that no list of pairs has the hash of a map.
  if (Array.isArray(value)) return ["list", ...value.map(sortKeys)]
  if (!isMap(value)) return value
  const pairs = Object.keys(value)
    .sort()
    .map((key): Json => [key, sortKeys(value[key]!)])
  return ["map", ...pairs]
}

/** The hash of everything that a model and the runtime learn about a tool from its server. */
export const hashTool = (tool: {
  readonly name: string
  readonly description: string
  readonly input: JsonMap
  readonly claims: { readonly [claim: string]: true }
}): string => hashValue([tool.name, tool.description, tool.input, tool.claims])
