import fs from "node:fs"
import path from "node:path"

/** Where the repository's own tools build, and keep what they know for the next time. */
export const writableFolders = (root: string): readonly string[] => [
  ...["node_modules/.vite", "node_modules/.vite-temp"].map((name) => path.join(root, name)),
  ...["dist", ".vitest", "coverage"]
    .map((name) => path.join(root, name))
    .filter((place) => fs.existsSync(place)),
]
