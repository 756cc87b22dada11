import type { DefinitionFile } from "../../definitions/registry/file.ts"
import type { SubagentRegistry } from "../../definitions/registry/registry.ts"

/** Every file that was read, without those that ship with cadre: the user cannot change them. */
export const listOwnFiles = (registry: SubagentRegistry): readonly DefinitionFile[] =>
  registry.files().filter(({ agent }) => agent?.origin.scope !== "built-in")
