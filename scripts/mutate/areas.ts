import fs from "node:fs"
import path from "node:path"

/** The areas in which faults are put. A file in two areas counts for the first. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  authority: ["src/run/rights", "src/definitions/authority"],
  run: ["src/run"],
  shell: ["src/world/shell"],
  sandbox: ["src/world/sandbox"],
  stores: ["src/world/stores"],
  wire: ["src/world/models/wire"],
}

/** Lists of exports and data that programs wrote have nothing to get wrong. */
const isCode = (file: string): boolean =>
  file.endsWith(".ts") && !file.endsWith(".test.ts") && !/\/(?:data|fixtures)\//.test(file)

/** The files of each area, relative to the root. */
export function filesByArea(
  root: string,
  folders: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const taken = new Set<string>()
  return new Map(
    Object.entries(folders).map(([area, places]) => {
      const files = places.flatMap((place) => filesBelow(root, place)).filter((file) => isCode(file))
      const own = files.filter((file) => !taken.has(file))
      for (const file of own) taken.add(file)
      return [area, own]
    }),
  )
}

export const filesBelow = (root: string, folder: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((file) => fs.statSync(path.join(root, file)).isFile())
    .sort()
