// npm run bench -- --peers: installs other libraries into a temporary folder and measures them next to cadre and to the
// floors, in turn, in one run. A library that cannot be installed or does not do the work is told with its reason.
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { machine } from "./lib/machine.mjs"
import { measure } from "./lib/measure.mjs"
import { median, summary } from "./lib/statistics.mjs"
import { table } from "./lib/table.mjs"
import { delegateParameters, fanoutParameters, liveParameters, turnParameters } from "./parts/turns.mjs"

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const known = readdirSync(here("peers/"))
const own = {
  "raw fetch (floor)": { mode: "json", file: here("floors/raw-fetch.mjs") },
  "raw fetch SSE (floor)": { mode: "sse", file: here("floors/raw-fetch-stream.mjs") },
  cadre: { mode: "json", file: here("adapter.mjs") },
  "cadre, SSE": { mode: "sse", file: here("adapter-stream.mjs") },
}
const floorOf = { json: "raw fetch (floor)", sse: "raw fetch SSE (floor)" }

/** `field` and `cpu`, the time of the processor, are divided by the floor of the same mode and round. */
const scenarios = {
  turns: { title: "ms a turn, 50 turns", parameters: turnParameters, field: "msPerTurn", cpu: "cpuPerTurn" },
  delegate: { title: "ms a delegation", parameters: delegateParameters, field: "msEach", cpu: "cpuEach" },
  fanout: {
    title: "ms for a fan-out of 1000, 64 at once",
    parameters: fanoutParameters,
    field: "wall",
    cpu: "cpu",
  },
  live: {
    title: "KB of RSS for a live child of 1000",
    parameters: liveParameters,
    field: "rssKilobytesEach",
  },
}

export async function comparePeers({ rounds, only, peers, tell }) {
  const chosen = peers === "all" ? known : peers
  const unknown = chosen.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`Unknown peer "${unknown}". Known are ${known.join(", ")}.`)
  const folder = mkdtempSync(join(tmpdir(), "cadre-peers-"))
  try {
    const { candidates, versions, faults } = await install(chosen, folder, tell)
    for (const scenario of only) {
      const results = await inTurn(scenario, { ...own, ...candidates }, rounds, tell)
      show(scenario, { ...own, ...candidates }, results)
    }
    for (const fault of faults) console.log(`\n${fault}`)
    console.log(`\n${versions.join(", ")}`)
    console.log(`\n${machine()}, ${rounds} rounds`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adapters are copied beside their packages, so that they find them by name. */
async function install(chosen, folder, tell) {
  cpSync(here("lib/script.mjs"), join(folder, "lib/script.mjs"))
  const candidates = {}
  const versions = []
  const faults = []
  for (const name of chosen) {
    tell(`Installing ${name} …`)
    const home = join(folder, "peers", name)
    cpSync(here(`peers/${name}`), home, { recursive: true })
    const words = [
      "install",
      "--ignore-scripts",
      "--legacy-peer-deps",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ]
    const fault = await promisify(execFile)("npm", words, { cwd: home, timeout: 600_000 }).then(
      () => undefined,
      (error) => `${name} could not be installed: ${npmReason(error)}`,
    )
    if (fault) {
      faults.push(fault)
      tell(fault)
      continue
    }
    const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
    const [first] = Object.entries(dependencies)
    versions.push(first.join(" "))
    const file = join(home, "adapter.mjs")
    candidates[name] = { file, mode: /^export const mode = "(\w+)"/m.exec(readFileSync(file, "utf8"))[1] }
  }
  return { candidates, versions, faults }
}

/** Round by round. A library that failed once in a scenario is not run again in it. */
async function inTurn(scenario, candidates, rounds, tell) {
  const results = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]))
  for (let round = 1; round <= rounds; round++)
    for (const [name, { file }] of Object.entries(candidates)) {
      if (results[name].some(({ type }) => type === "failed")) continue
      const result = await measure(file, scenario, scenarios[scenario].parameters)
      results[name].push(result)
      const figure = result[scenarios[scenario].field]?.toFixed(2) ?? `failed: ${firstLine(result.reason)}`
      tell(`${scenario}, round ${round} of ${rounds}, ${name}: ${figure}`)
    }
  return results
}

function show(scenario, candidates, results) {
  const { title, field, cpu } = scenarios[scenario]
  const rows = Object.entries(candidates).map(([name, { mode }]) => {
    const failed = results[name].find(({ type }) => type === "failed")
    if (failed) return [name, mode, "failed", firstLine(failed.reason)]
    const ratios = (of) =>
      results[name].map((round, index) => round[of] / results[floorOf[mode]][index]?.[of])
    const { value, range } = summary(ratios(field))
    const figure = median(results[name].map((round) => round[field])).toFixed(2)
    const processor = cpu ? summary(ratios(cpu)).value.toFixed(2) : ""
    return [name, mode, figure, value.toFixed(2), range, processor, results[name][0].maxOpen ?? ""]
  })
  const head = ["candidate", "mode", "median", "x floor", "range", "x floor, CPU", "at once"]
  console.log(`\n${title}\n\n${table(head, rows)}`)
}

/** npm begins with a code; what it means is in the line after it. */
function npmReason({ stderr, message }) {
  const lines = (stderr ?? "")
    .split("\n")
    .filter((line) => line.startsWith("npm error") && !/ code \w+$/.test(line))
  return firstLine(lines[0]?.replace(/^npm error \w* ?/, "") ?? message)
}

function firstLine(text) {
  return text.trim().split("\n")[0].slice(0, 160)
}
