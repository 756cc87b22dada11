// npm run bench: measures every performance bar and says which hold. Exit 0: all hold. 1: some do not. 2: could not
// measure. bench/README.md says what is measured.
import { existsSync } from "node:fs"
import { comparePeers } from "./compare-peers.mjs"
import { machine } from "./lib/machine.mjs"
import { table } from "./lib/table.mjs"
import { cold } from "./parts/cold.mjs"
import { core } from "./parts/core.mjs"
import { definitions } from "./parts/definitions.mjs"
import { list } from "./parts/list.mjs"
import { log } from "./parts/log.mjs"
import { mcp } from "./parts/mcp.mjs"
import { nodes } from "./parts/nodes.mjs"
import { responses } from "./parts/responses.mjs"
import { runs } from "./parts/runs.mjs"
import { scripts } from "./parts/scripts.mjs"
import { delegate, fanout, live, turns } from "./parts/turns.mjs"

const parts = {
  turns,
  responses,
  delegate,
  fanout,
  live,
  core,
  mcp,
  cold,
  definitions,
  list,
  log,
  nodes,
  runs,
  scripts,
}
const peerParts = ["turns", "delegate", "fanout", "live"]
const tell = (text) => console.error(text)

try {
  const { rounds, only, peers } = options(process.argv.slice(2))
  if (!existsSync(new URL("../dist/index.mjs", import.meta.url)))
    throw new Error("There is no dist/index.mjs. Run `npm run build` first.")
  if (peers) await comparePeers({ rounds, only: only ?? peerParts, peers, tell })
  else process.exitCode = await measureBars(rounds, only ?? Object.keys(parts))
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}

async function measureBars(rounds, only) {
  tell(`Measuring ${only.join(", ")} in ${rounds} rounds. All parts take about ten minutes.`)
  const bars = []
  for (const part of only) bars.push(...(await parts[part]({ rounds, tell })))
  const rows = bars.map(([name, { value, range }, limit]) => {
    const shown = Number.isFinite(value) ? value.toFixed(2) : "failed"
    return [name, shown, range, limit, value <= limit ? "yes" : "NO"]
  })
  console.log(`\n${table(["bar", "measured", "range", "limit", "holds"], rows)}`)
  console.log(`\n${machine()}, ${rounds} rounds`)
  return bars.every(([, { value }, limit]) => value <= limit) ? 0 : 1
}

function options(words) {
  const given = { rounds: 4, only: undefined, peers: undefined }
  for (const word of words) {
    const [name, value] = word.split("=")
    if (name === "--rounds") given.rounds = Number(value)
    else if (name === "--only") given.only = value?.split(",") ?? []
    else if (name === "--peers") given.peers = value?.split(",") ?? "all"
    else
      throw new Error(
        `Unknown option "${word}". Known are --rounds=N, --only=PART,PART, --peers and --peers=NAME,NAME.`,
      )
  }
  if (!(Number.isInteger(given.rounds) && given.rounds >= 1))
    throw new Error("--rounds must be a whole number above 0.")
  const known = given.peers ? peerParts : Object.keys(parts)
  const unknown = given.only?.find((part) => !known.includes(part))
  if (unknown !== undefined) throw new Error(`Unknown part "${unknown}". Known are ${known.join(", ")}.`)
  return given
}
