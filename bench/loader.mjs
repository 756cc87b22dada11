// A loader for the definition bench: reads a folder, and looks at it again when it is asked again.
import { SubagentRegistry } from "../dist/files.mjs"

const registries = new Map()

export function load(folder) {
  const known = registries.get(folder)
  if (known) {
    known.reload()
    return known.count
  }
  const registry = new SubagentRegistry()
  registry.loadFromDirectory(folder)
  registries.set(folder, registry)
  return registry.count
}
