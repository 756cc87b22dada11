import { isMap, type Json } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"

/** Commands of hooks and steps, in whatever format they are written, once each: what is in doubt is told. */
export function commandsIn(written: Json | undefined): readonly string[] {
  if (Array.isArray(written)) return [...new Set(written.flatMap(commandsIn))]
  if (!isMap(written)) return []
  const found = Object.entries(written).flatMap(([key, value]) =>
    typeof value === "string" ? (key === "run" || key === "command" ? [value] : []) : commandsIn(value),
  )
  return [...new Set(found)]
}

export function commandsOfFile(file: string): readonly string[] {
  const reading = readSourceFile(file)
  const yaml = reading.type === "source" ? readYaml(reading.source.text) : undefined
  return yaml?.type === "value" ? commandsIn(yaml.value) : []
}
