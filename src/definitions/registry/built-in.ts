import path from "node:path"
import { builtInAgents } from "../../agent/built-in-agents.ts"
import { findPackageFolder } from "../../ground/paths/package-folder.ts"
import { cadre } from "../formats/cadre.ts"
import type { Format } from "../formats/format.ts"
import { gobby } from "../formats/gobby.ts"
import type { Root } from "./root.ts"

/** One root per built-in agent. The configuration can hide agents by name, or all with `*`; their files are not read. */
export function listBuiltInRoots(hidden: readonly string[]): readonly Root[] {
  if (hidden.includes("*")) return []
  return Object.keys(builtInAgents)
    .filter((name) => !hidden.includes(name))
    .flatMap((name) => rootOf(name) ?? [])
}

/** The file of a built-in agent. Undefined in a bundle, which has no files beside it. */
export function locateBuiltInFile(name: string): string | undefined {
  const folder = builtInFolder()
  return folder === undefined ? undefined : path.join(folder, builtInAgents[name]!)
}

/** The format of a built-in file; undefined for all other files. */
export function findBuiltInFormat(file: string): Format | undefined {
  const folder = builtInFolder()
  // Every file that is read is asked about, and most lie elsewhere.
  if (folder === undefined || !file.startsWith(folder) || path.dirname(file) !== folder) return undefined
  return path.extname(file) === ".md" ? cadre : gobby
}

function rootOf(name: string): Root | undefined {
  const file = locateBuiltInFile(name)
  if (file === undefined) return undefined
  return {
    path: file,
    kind: "file",
    scope: "built-in",
    format: findBuiltInFormat(file),
    depth: "flat",
    boundary: undefined,
    distance: 0,
    options: { scope: "built-in" },
  }
}

function builtInFolder(): string | undefined {
  const own = findPackageFolder()
  if (own === undefined) return undefined
  cachedFolder ??= path.join(own, "agents")
  return cachedFolder
}

let cachedFolder: string | undefined
