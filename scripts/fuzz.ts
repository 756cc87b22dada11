/**
 * Puts mutated definition files through everything that reads, shows, checks and writes them: nothing may throw, hang,
 * touch Object.prototype, or point outside the text. `npm run fuzz -- --rounds N [--seed S]`; the last line is JSON.
 */
import fs from "node:fs"
import path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { formats } from "../src/definitions/formats/index.ts"
import { writeAgent } from "../src/definitions/formats/write.ts"
import { type DefinitionFile, diagnoseFile, readDefinitionText } from "../src/definitions/registry/file.ts"
import { checkAgents } from "../src/definitions/rules/check.ts"
import { createGenerator } from "../src/faces/testing/random.ts"
import { applyFixes } from "../src/ground/diagnostics/apply-fixes.ts"

export interface FuzzResult {
  readonly rounds: number
  readonly seed: number
  readonly agents: number
  readonly faults: readonly string[]
}

const folder = path.resolve(import.meta.dirname, "../src/definitions/formats/fixtures")
const surroundings = { tools: new Set<string>(), models: undefined, skills: undefined, agents: new Map() }

export function fuzz(rounds: number, seed: number): FuzzResult {
  const next = createGenerator(seed)
  const random: Random = { below: (limit) => Math.floor(next() * limit) }
  const sources = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(md|ya?ml|json)$/.test(file))
    .map((file) => ({ file, text: fs.readFileSync(path.join(folder, file), "utf8") }))
  const untouched = Object.getOwnPropertyNames(Object.prototype).length
  const faults: string[] = []
  let agents = 0
  for (let round = 0; round < rounds && faults.length < 20; round++) {
    const { file, text } = sources[random.below(sources.length)]!
    const mutated = mutate(text, random)
    const started = performance.now()
    try {
      agents += tryOut(file, mutated)
    } catch (error) {
      faults.push(`round ${round}, ${file}: ${String(error)} in ${JSON.stringify(mutated)}`)
    }
    if (performance.now() - started > 10_000)
      faults.push(`round ${round}, ${file}: slow on ${JSON.stringify(mutated)}`)
    if (Object.getOwnPropertyNames(Object.prototype).length !== untouched)
      faults.push(`round ${round}, ${file}: changed Object.prototype`)
  }
  return { rounds, seed, agents, faults }
}

/** Returns the number of agents that were read. Throws if a property does not hold. */
function tryOut(file: string, text: string): number {
  let count = 0
  for (const format of formats) {
    const read = readDefinitionText({ path: file, text }, format, { agentsDir: folder })
    const lines = text.split("\n")
    const diagnostics = diagnoseFile(read)
    for (const { range, message } of diagnostics) {
      if (message === "") throw new Error("a finding without a message")
      if (range.start.line > lines.length || range.end.line > lines.length)
        throw new Error("a range outside the text")
    }
    if (!read.agent && diagnostics.length === 0)
      throw new Error(`${format.id} gives neither agent nor finding`)
    if (!read.agent) continue
    count++
    checkAgents([{ agent: read.agent, format, source: read }], surroundings)
    if (read.repaired) expectFixed(read, text, file)
    const written = writeAgent(format, read.agent, file, { agentsDir: folder })
    const back = readDefinitionText({ path: file, text: written.text }, format, {
      agentsDir: folder,
    })
    if (written.losses.length === 0 && !sameAgent(back, read))
      throw new Error(`${format.id} loses something in silence`)
  }
  return count
}

function expectFixed(read: DefinitionFile, text: string, file: string): void {
  const fixes = diagnoseFile(read).filter(({ code }) => code === "yaml-repaired")
  const fixed = applyFixes(text, fixes).text
  const again = readDefinitionText({ path: file, text: fixed }, read.format, { agentsDir: folder })
  if (again.repaired || !sameAgent(again, read)) throw new Error("a fix changed the meaning")
}

const sameAgent = (left: DefinitionFile, right: DefinitionFile): boolean => {
  const { origin: _, ...one } = left.agent ?? { origin: undefined }
  const { origin: __, ...other } = right.agent ?? { origin: undefined }
  return isDeepStrictEqual(one, other)
}

interface Random {
  below(limit: number): number
}

const pieces = [
  ":",
  ": ",
  "- ",
  "\n",
  "\r\n",
  "\t",
  "  ",
  "'",
  '"',
  "[",
  "]",
  "{",
  "}",
  "|",
  ">",
  "&a ",
  "*a",
  "!x ",
  "#",
  " #",
  "---\n",
  "\u0000",
  "\ufeff",
  "\u202e",
  "é",
  "😀",
  "0",
  "null",
  "true",
  "~",
  "tools: ",
  "name: ",
  "__proto__: ",
  "{{",
  "}}",
  "{%",
  "%}",
  "\\",
  ",",
  "(",
  ")",
  "*",
]

function mutate(text: string, random: Random): string {
  let mutated = text
  for (let count = 1 + random.below(4); count > 0; count--) {
    const at = random.below(mutated.length + 1)
    const end = Math.min(mutated.length, at + random.below(12))
    const piece =
      random.below(3) === 0
        ? mutated.slice(end, end + random.below(40))
        : pieces[random.below(pieces.length)]!
    mutated =
      random.below(4) === 0
        ? mutated.slice(0, at) + mutated.slice(end)
        : mutated.slice(0, at) + piece + mutated.slice(random.below(2) === 0 ? at : end)
  }
  return mutated
}

if (process.argv[1] === import.meta.filename) {
  const option = (name: string, otherwise: number) => {
    const at = process.argv.indexOf(`--${name}`)
    return at < 0 ? otherwise : Number(process.argv[at + 1])
  }
  const result = fuzz(option("rounds", 10_000), option("seed", Date.now() % 1_000_000))
  for (const fault of result.faults) console.error(fault.slice(0, 2_000))
  console.log(JSON.stringify({ ...result, faults: result.faults.length }))
  process.exitCode = result.faults.length > 0 ? 1 : 0
}
