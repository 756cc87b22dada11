// npm run bench: measures every performance bar and says which hold. Exit 0: all. 1: some do not. 2: cannot
// measure.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const bench = fileURLToPath(new URL("../../shared/bench/", import.meta.url))
// Fan-out and live get one round less than asked for.
const rounds = Number(process.argv.find((word) => word.startsWith("--rounds="))?.slice(9) ?? 4)

if (!existsSync(join(bench, "run-all.mjs")))
  stop(`The shared bench is not at ${bench}. Put it there to measure.`)
if (!existsSync(join(here, "../dist/index.mjs")))
  stop("There is no dist/index.mjs. Run `npm run build` first.")
if (!(rounds >= 2)) stop("--rounds must be 2 or more.")

const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, "results.json")
console.error(`Measuring in ${rounds} rounds, some minutes in all …`)
node("show", [
  join(bench, "run-all.mjs"),
  "--scenarios=turns50,delegate,fanout,live,cold",
  "--only=raw-fetch,raw-fetch-sse",
  ...["adapter", "adapter-stream", "adapter-jsonl"].map((name) => `--adapter=${join(here, `${name}.mjs`)}`),
  `--rounds=${rounds}`,
  `--json=${file}`,
])
const results = JSON.parse(readFileSync(file, "utf8"))
const core = JSON.parse(node("keep", [join(here, "core.mjs")]))
const responses = JSON.parse(node("keep", [join(here, "responses.mjs"), "9"]))
const definitions = JSON.parse(node("keep", [join(here, "definitions.mjs"), String(rounds)]))

const runs = JSON.parse(node("keep", [join(here, "runs.mjs"), "9"]))

const { adapters } = results
const bars = [
  ["50 turns, JSON, x raw fetch", ratio("turns50", "msPerTurn", "adapter", "raw-fetch"), 1],
  ["50 turns, SSE, x raw fetch SSE", ratio("turns50", "msPerTurn", "adapter-stream", "raw-fetch-sse"), 1],
  ["50 turns, JSONL store, x raw fetch", ratio("turns50", "msPerTurn", "adapter-jsonl", "raw-fetch"), 1.3],
  ["50 turns of responses, JSON, x raw fetch", summary(responses.json.wall), 1.05],
  ["50 turns of responses, SSE, x raw fetch SSE", summary(responses.sse.wall), 1.05],
  ["50 turns of responses, JSON, CPU, x raw fetch", summary(responses.json.cpu), 0.9],
  ["50 turns of responses, SSE, CPU, x raw fetch SSE", summary(responses.sse.cpu), 0.9],
  ["delegation, JSON, x raw fetch", ratio("delegate", "msEach", "adapter", "raw-fetch"), 1.1],
  ["delegation, SSE, x raw fetch SSE", ratio("delegate", "msEach", "adapter-stream", "raw-fetch-sse"), 1.1],
  ["fan-out 1000, 64 at once, JSON, x raw fetch", fanout("adapter", "raw-fetch"), 1.1],
  ["fan-out 1000, 64 at once, SSE, x raw fetch SSE", fanout("adapter-stream", "raw-fetch-sse"), 1.1],
  ["1000 live children, JSON, KB RSS each", live("adapter", "rssKBPer"), 50],
  ["1000 live children, SSE, KB RSS each", live("adapter-stream", "rssKBPer"), 50],
  ["1000 live children, JSON, KB heap each", live("adapter", "heapKBPer"), 20],
  ["1000 live children, SSE, KB heap each", live("adapter-stream", "heapKBPer"), 20],
  [
    "core per turn at 10,000 turns, x at 200",
    { value: core.ratio, range: core.range.map((ratio) => ratio.toFixed(2)).join("-") },
    1.3,
  ],
  ["cold start, x node -e 0", { value: cold(), range: "" }, 2],
  ["10,000 definitions, cold, x readFileSync", summary(definitions.cold), 4],
  ["10,000 definitions, warm reload, x readdir and stat", summary(definitions.warm), 1.5],
  ["cadre list, 1,000 agents, x node -e 0", summary(definitions.list), 6],
  ["cadre --version, x node -e 0", summary(definitions.version), 1.5],
  ["cadre runs --limit 20, 10,000 runs, x node -e 0", summary(runs.limit), 3],
  ["cadre runs --status open, 10,000 runs, x node -e 0", summary(runs.open), 4],
]

const rows = bars.map(([name, measured, limit]) => ({
  name,
  measured,
  limit,
  holds: measured.value <= limit,
}))
const width = Math.max(...rows.map(({ name }) => name.length))
console.log(`\n| ${"bar".padEnd(width)} | measured | range       | limit | holds |`)
console.log(`|${"-".repeat(width + 2)}|---------:|-------------|------:|-------|`)
for (const { name, measured, limit, holds } of rows) {
  const value = Number.isFinite(measured.value) ? measured.value.toFixed(2) : "failed"
  const cells = [name.padEnd(width), value.padStart(8), measured.range.padEnd(11), String(limit).padStart(5)]
  console.log(`| ${cells.join(" | ")} | ${holds ? "yes" : "NO"}${holds ? " " : "  "}  |`)
}
console.log(
  `\nnode ${results.node}, ${results.host.cores} cores, ${results.host.cpu}, ${rounds} rounds or one less`,
)
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1

/** The median over rounds of ours divided by the floor of the same round and mode. */
function ratio(scenario, field, ours, floor) {
  const [mine, theirs] = [ours, floor].map((name) => adapters[name]?.[scenario]?.rounds ?? [])
  return summary(mine.map((round, index) => round[field] / theirs[index]?.[field]))
}

/** A fan-out that lost children, or ran more at once than asked, is no measurement. */
function fanout(ours, floor) {
  const measured = ratio("fanout", "wall", ours, floor)
  const right = adapters[ours].fanout.rounds.every(
    (round) => round.requests === round.expectRequests && round.maxOpen <= 64,
  )
  return right ? measured : { ...measured, value: Number.NaN }
}

function live(ours, field) {
  const all = adapters[ours]?.live?.rounds ?? []
  return summary(all.map((round) => (round.live >= 1000 ? round[field] : Number.NaN)))
}

function cold() {
  const { min, rc } = adapters.adapter?.cold ?? {}
  return rc === 0 ? min / results.coldFloor : Number.NaN
}

/** A round that failed makes the whole fail: a bar holds in every round or was not measured. */
function summary(values) {
  if (values.length === 0 || !values.every(Number.isFinite)) return { value: Number.NaN, range: "" }
  const sorted = values.toSorted((left, right) => left - right)
  const half = sorted.length >> 1
  const value = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  return { value, range: `${sorted[0].toFixed(2)}-${sorted.at(-1).toFixed(2)}` }
}

function node(progress, words) {
  // The bench's own tables would bury ours; its progress goes to the error output.
  const stdio = ["ignore", "pipe", progress === "show" ? "inherit" : "pipe"]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    stdio,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) stop(`${words[0]} ended with ${status}. ${stderr ?? ""}`)
  return stdout
}

function stop(message) {
  console.error(message)
  process.exit(2)
}
