import { knownRoots, type Surrounding } from "./root.ts"
import { scanFolder } from "./scan.ts"

/** Every file of a project that would be read as a definition, as it is now. Nothing of it is read. */
export const definitionFilesAround = (surrounding: Surrounding): readonly string[] => [
  ...new Set(
    knownRoots(surrounding)
      .filter(({ scope }) => scope !== "user")
      .flatMap((root) => scanFolder(root).files),
  ),
]
