/**
 * Writes the transcripts in README.md and docs/ from real runs of the built command line. A page marks a block with
 * `<!-- transcript: NAME -->`; scripts/transcripts/scenarios.ts has the scenario NAME. `--check` writes nothing and
 * fails where a block is stale. `--only NAME` runs one scenario and prints it.
 */
import fs from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { play } from "./transcripts/play.ts"
import { scenarios } from "./transcripts/scenarios.ts"

const root = path.resolve(import.meta.dirname, "..")
const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, only: { type: "string" } },
})
const played = new Map<string, string | undefined>()
const marked = /<!-- transcript: ([\w-]+) -->\n```text\n[\s\S]*?```\n/g

if (!fs.existsSync(path.join(root, "dist/cli.mjs"))) {
  console.error("Transcripts come from the built command line. Run: npm run build")
  process.exit(1)
}
if (values.only !== undefined) console.log(transcriptOf(values.only) ?? "Skipped on this machine.")
else update()

function update(): void {
  const stale: string[] = []
  const used = new Set<string>()
  for (const page of pages()) {
    const file = path.join(root, page)
    const before = fs.readFileSync(file, "utf8")
    const after = before.replaceAll(marked, (block, name: string) => {
      used.add(name)
      const text = transcriptOf(name)
      return text === undefined ? block : `<!-- transcript: ${name} -->\n\`\`\`text\n${text}\n\`\`\`\n`
    })
    if (after === before) continue
    stale.push(page)
    if (values.check) continue
    fs.writeFileSync(file, after)
    console.log(`wrote the transcripts of ${page}`)
  }
  const unused = Object.keys(scenarios).filter((name) => !used.has(name))
  if (unused.length > 0) console.error(`No page shows these scenarios: ${unused.join(", ")}. Remove them.`)
  if (values.check && stale.length > 0)
    console.error(`Stale transcripts in: ${stale.join(", ")}. Run: npm run docs`)
  if (unused.length > 0 || (values.check && stale.length > 0)) process.exitCode = 1
}

/** Undefined where this machine cannot play the scenario: its block stays as it is. */
function transcriptOf(name: string): string | undefined {
  if (!played.has(name)) played.set(name, playScenario(name))
  return played.get(name)
}

function playScenario(name: string): string | undefined {
  const scenario = scenarios[name]
  if (!scenario)
    throw new Error(`No scenario is named "${name}". Known: ${Object.keys(scenarios).join(", ")}.`)
  if (scenario.skipWhere?.some((file) => fs.existsSync(file))) return undefined
  return play(root, scenario)
}

function pages(): readonly string[] {
  const docs = fs.readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
  return ["README.md", ...docs.filter((file) => file.endsWith(".md")).map((file) => path.join("docs", file))]
}
