import { isMap, type Json } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"

/** Collects the commands of hooks and steps in any format, without duplicates. A doubtful one is included. */
export function collectCommands(written: Json | undefined): readonly string[] {
  if (Array.isArray(written)) return [...new Set(written.flatMap(collectCommands))]
  if (!isMap(written)) return []
  const commands = Object.entries(written).flatMap(([key, value]) =>
    typeof value === "string" ? (key === "run" || key === "command" ? [value] : []) : collectCommands(value),
  )
  return [...new Set(commands)]
}

export function collectFileCommands(file: string): readonly string[] {
  const reading = readSourceFile(file)
  const yaml = reading.type === "source" ? readYaml(reading.source.text) : undefined
  return yaml?.type === "value" ? collectCommands(yaml.value) : []
}
