import fs from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")

/** Slow tests start the built command: one that was built before the last change would be the wrong one. */
export default function setup(): void {
  const newer = newerThanBuilt()
  if (newer === undefined) return
  throw new Error(`dist is older than ${newer}, and slow tests start what is built. Run: npm run build`)
}

/** A source that was changed after the last build; any, where nothing is built. */
function newerThanBuilt(): string | undefined {
  const built = fs.statSync(path.join(root, "dist/cli.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => path.join("src", file))
    .find((file) => fs.statSync(path.join(root, file)).mtimeMs > built)
}
