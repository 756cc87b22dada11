import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../ground/errors.ts"
import { locateBuiltInQueries } from "./packs.ts"

/** Copies the query files that ship to a folder. Throws DISC_001 before it writes if one of them is already there. */
export function copyQueries(folder: string): readonly string[] {
  const source = locateBuiltInQueries()
  const files = fs
    .readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".scm"))
    .sort()
  const existing = files.find((file) => fs.existsSync(path.join(folder, file)))
  if (existing !== undefined)
    throw new CadreError(
      "DISC_001",
      `${path.join(folder, existing)} already exists, so nothing was copied. Name another folder, or remove the file.`,
    )
  for (const file of files) {
    const target = path.join(folder, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(path.join(source, file), target, fs.constants.COPYFILE_EXCL)
  }
  return files
}
