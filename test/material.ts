import fs from "node:fs"
import path from "node:path"
import { test } from "vitest"

/** Has a folder `corpus` of real definition files, and one `recordings` of exchanges with real providers. */
const folder = process.env.CADRE_MATERIAL ?? path.resolve(import.meta.dirname, "../../shared")

/**
 * Where files of others lie that tests are made with and that are not part of the project: in the folder that
 * CADRE_MATERIAL names, or in one beside the checkout. Where they are missing a skipped test says so, and a failed one
 * where CADRE_REQUIRE_MATERIAL is set.
 */
export function material(...names: readonly string[]): string {
  const place = path.join(folder, ...names)
  if (fs.existsSync(place)) return place
  const missing = `${names.join("/")} is missing: there is no ${place}. CADRE_MATERIAL names a folder that has it`
  console.warn(`SKIPPED: ${missing}.`)
  test.skipIf(process.env.CADRE_REQUIRE_MATERIAL === undefined)(missing, () => {
    throw new Error(missing)
  })
  return place
}
