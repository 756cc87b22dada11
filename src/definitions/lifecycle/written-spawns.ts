import { isMap, type Json } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"

/** Collects the agents that hooks and steps start, in every spelling, each once. A doubtful one is included. */
export function collectSpawns(written: Json | undefined): readonly string[] {
  if (Array.isArray(written)) return [...new Set(written.flatMap(collectSpawns))]
  if (!isMap(written)) return []
  const isSpawn = written.type === "spawn_agent" || written.action === "spawn_agent"
  const ownAgents = isSpawn && typeof written.agent === "string" ? [written.agent] : []
  const below = Object.entries(written).flatMap(([key, value]) =>
    key === "spawn_agent" ? [...agentIn(value), ...collectSpawns(value)] : collectSpawns(value),
  )
  return [...new Set([...ownAgents, ...below])]
}

function agentIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value]
  return isMap(value) && typeof value.agent === "string" ? [value.agent] : []
}

export function collectFileSpawns(file: string): readonly string[] {
  const reading = readSourceFile(file)
  const yaml = reading.type === "source" ? readYaml(reading.source.text) : undefined
  return yaml?.type === "value" ? collectSpawns(yaml.value) : []
}
