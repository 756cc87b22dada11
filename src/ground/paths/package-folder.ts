import fs from "node:fs"
import path from "node:path"

let cached: { readonly folder: string | undefined } | undefined

/** The folder of the installed package. Undefined in a bundle: the folder beside it belongs to another package. */
export function findPackageFolder(): string | undefined {
  cached ??= { folder: ["..", "../../.."].map((way) => path.resolve(import.meta.dirname, way)).find(isOwn) }
  return cached.folder
}

function isOwn(folder: string): boolean {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))?.name === "cadre"
  } catch {
    return false
  }
}
