import fs from "node:fs"
import path from "node:path"

/** Exported names that several files of src declare, with those files. */
export function namesDeclaredTwice(root: string): readonly string[] {
  const files = new Map<string, string[]>()
  for (const file of sourcesIn(root))
    for (const name of exportedNames(fs.readFileSync(path.join(root, file), "utf8")))
      files.set(name, [...(files.get(name) ?? []), file])
  return [...files]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.join(", ")}`)
    .sort()
}

export const sourcesIn = (root: string): readonly string[] =>
  fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        file.endsWith(".ts") && !file.endsWith(".test.ts") && fs.statSync(path.join(root, file)).isFile(),
    )
    .sort()

/** A type and a value of one name in one file are one declaration: `export const Color` and `export type Color`. */
function exportedNames(code: string): ReadonlySet<string> {
  const declarations =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) +(\w+)/gm
  return new Set([...code.matchAll(declarations)].map(([, name]) => name!))
}
