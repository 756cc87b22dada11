import type { ReadFile } from "../../definitions/registry/file.ts"
import type { SubagentRegistry } from "../../definitions/registry/registry.ts"

/** Every file that was looked at but those that ship with cadre: nobody here has written them. */
export const ownFiles = (registry: SubagentRegistry): readonly ReadFile[] =>
  registry.files().filter(({ agent }) => agent?.origin.scope !== "built-in")
