/** Runs hostile scripts, and looks for what got out, what hung and what one script left for the next. */
import { randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { readScriptFile } from "../../src/definitions/scripts/read-script-file.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import { limitPresets } from "../../src/world/scripts/limits.ts"
import { runScript, type ScriptEnd } from "../../src/world/scripts/run-script.ts"
import { drawFrom, drawJson, drawScript, type FuzzLanguage, probes } from "./hostile.ts"

export interface FuzzReport {
  /** The number of scripts by how they ended: `value` or a code. */
  readonly ends: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const endings: Readonly<Record<FuzzLanguage, string>> = { python: "pym", javascript: "mjs" }

/** Codes of a script that did not end by itself, or of a fault of the engine. */
const faulty = ["TIMEOUT", "INTERNAL", "PROCESS_CRASH"]

export async function fuzzScripts(
  language: FuzzLanguage,
  { folder, rounds, seed }: { readonly folder: string; readonly rounds: number; readonly seed: number },
): Promise<FuzzReport> {
  const secret = randomUUID()
  const canary = path.join(folder, "canary.txt")
  fs.writeFileSync(canary, secret)
  process.env.CADRE_FUZZ_SECRET = secret
  const ends: Record<string, number> = {}
  const faults: string[] = []
  const probe = read(path.join(folder, `probe.${endings[language]}`), probes[language].text)
  const file = path.join(folder, `hostile.${endings[language]}`)
  for (let round = 0; round < rounds; round++) {
    const draw = drawFrom(seed * 1_000_003 + round + 1)
    const asked: JsonMap[] = []
    const inputs = draw(3) === 0 ? (drawJson(draw) as JsonMap) : { given: drawJson(draw) }
    const script = read(file, drawScript(draw, language, canary))
    const tell = (what: string) => faults.push(`${language}, seed ${seed}, round ${round}: ${what}`)
    const end = await runScript(script, {
      inputs: isObject(inputs) ? inputs : { given: inputs },
      limits: limitPresets.strict,
      timeout: 60_000,
      external: async ({ input }) => {
        asked.push(input)
        return { type: "answer", value: drawJson(draw) }
      },
    })
    const name = nameOf(end)
    ends[name] = (ends[name] ?? 0) + 1
    if (faulty.includes(name)) tell(`it ended with ${JSON.stringify(end).slice(0, 300)}`)
    if (JSON.stringify([end, asked]).includes(secret)) tell("the secret got out")
    const after = await runScript(probe, { inputs: {}, timeout: 60_000 })
    if (JSON.stringify(after) !== JSON.stringify({ error: false, value: probes[language].value }))
      tell(`the next script gave ${JSON.stringify(after).slice(0, 300)}`)
    const left = fs.readdirSync(folder).filter((one) => !known.includes(one))
    if (left.length > 0 || fs.readFileSync(canary, "utf8") !== secret) tell("files were changed")
  }
  return { ends, faults }
}

const known = ["canary.txt", ...Object.values(endings).flatMap((one) => [`probe.${one}`, `hostile.${one}`])]

const isObject = (value: unknown): value is JsonMap =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function read(file: string, text: string) {
  fs.writeFileSync(file, text)
  const reading = readScriptFile(file)
  if (reading.type !== "script") throw new Error(reading.message)
  return reading.script
}

const nameOf = (end: ScriptEnd): string =>
  end.error === "paused" ? "paused" : end.error ? end.code : "value"
