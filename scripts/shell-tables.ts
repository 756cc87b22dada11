/**
 * Asks the programs on this machine what they can be told, and writes it down with the date: the tables in
 * `src/world/shell/programs/tables` say by hand what each of it means. `tsx scripts/shell-tables.ts [NAME ...]`; without names it
 * asks all of them, which takes some minutes. It needs bubblewrap.
 */
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { knownPrograms } from "../src/world/shell/programs/known.ts"
import { type Probed, probeGetopt } from "./shell-tables/probe-getopt.ts"

export interface ProgramOptions extends Probed {
  /** Package and version, as they are installed. */
  readonly version: string
}

const file = path.resolve(import.meta.dirname, "../src/world/shell/programs/data/options.json")
const known: { made: string; programs: Record<string, ProgramOptions> } = JSON.parse(
  fs.readFileSync(file, "utf8"),
)
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(known.programs)
for (const name of names) {
  const table = knownPrograms.get(name)?.table
  const probed = probeGetopt([`/usr/bin/${name}`])
  if (!table || !probed) {
    console.error(`${name}: ${table ? "it does not read its options with getopt_long" : "it has no table"}`)
    continue
  }
  const [from = ""] = table.version.split(" ")
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg reads them.
  const version = execFileSync("/usr/bin/dpkg-query", ["-W", "-f", "${Package} ${Version}", from], {
    encoding: "utf8",
  })
  known.programs[name] = { version, ...probed }
  console.log(`${name}: ${Object.keys(probed.options).length} options`)
}
known.made = new Date().toISOString().slice(0, 10)
fs.writeFileSync(file, `${JSON.stringify(known, undefined, 2)}\n`)
