import fs from "node:fs"
import path from "node:path"

/** Where the repository's own tools build, and keep what they know for the next time. */
export function writableFolders(root: string): readonly string[] {
  const packages = fs.realpathSync(path.join(root, "node_modules"))
  const built = ["dist", ".vitest", "coverage"].map((name) => path.join(root, name))
  return [
    ...[".vite", ".vite-temp"].map((name) => path.join(packages, name)),
    ...built.filter((place) => fs.existsSync(place)),
  ]
}
