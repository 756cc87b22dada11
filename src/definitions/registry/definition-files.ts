import { type DiscoveryPlaces, listDefinitionRoots } from "./root.ts"
import { scanFolder } from "./scan.ts"

/** Lists every file of a project that would be read as a definition, without reading any. */
export const listDefinitionFiles = (surrounding: DiscoveryPlaces): readonly string[] => [
  ...new Set(
    listDefinitionRoots(surrounding)
      .filter(({ scope }) => scope !== "user")
      .flatMap((root) => scanFolder(root).files),
  ),
]
