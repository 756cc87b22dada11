// What a list of runs costs with 10,000 ended and 20 open ones in the store, next to starting Node alone.
// node bench/runs.mjs [ROUNDS] prints JSON: ratios to `node -e 0` of the same round.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { crc32 } from "node:zlib"
import { createRuntime, defineAgent, jsonlStore } from "../dist/index.mjs"

const rounds = Number(process.argv[2] ?? 9)
const [ended, open] = [10_000, 20]
const cli = fileURLToPath(new URL("../dist/cli.mjs", import.meta.url))
const state = fs.mkdtempSync(path.join(tmpdir(), "cadre-runs-"))
process.on("exit", () => fs.rmSync(state, { recursive: true, force: true }))

await fill(path.join(state, "runs"))
const queries = {
  limit: ["--limit", "20"],
  open: ["--status", "open"],
  agent: ["--limit", "20", "--agent", "worker"],
}
// The first list reads every log and writes the index.
for (const words of Object.values(queries)) listed(words)
const ratios = Object.fromEntries(Object.keys(queries).map((name) => [name, []]))
const floors = []
for (let round = 0; round < rounds; round++) {
  const floor = timed(["-e", "0"])
  floors.push(floor)
  for (const [name, words] of Object.entries(queries))
    ratios[name].push(timed([cli, "runs", ...words, "--json"]) / floor)
}
const counts = Object.fromEntries(Object.entries(queries).map(([name, words]) => [name, listed(words)]))
if (counts.limit !== 20 || counts.open !== open || counts.agent !== 20)
  throw new Error(`The lists are wrong: ${JSON.stringify(counts)}`)
console.log(JSON.stringify({ ...ratios, floors }))

function timed(words) {
  const begun = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: { ...process.env, CADRE_STATE_DIR: state },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${stderr}`)
  return performance.now() - begun
}

function listed(words) {
  const { stdout } = spawnSync(process.execPath, [cli, "runs", ...words, "--json"], {
    env: { ...process.env, CADRE_STATE_DIR: state },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  return JSON.parse(stdout).runs.length
}

/** A run that was really driven, again and again under other ids: the open ones without its end, among the ended ones. */
async function fill(directory) {
  const usage = { inputTokens: 900, outputTokens: 100, cost: 0.01 }
  const runtime = createRuntime({
    store: jsonlStore({ directory }),
    agents: [defineAgent({ name: "worker", instructions: "Work." })],
    models: {
      model: { id: "instant", stream: async () => ({ text: "Done.", calls: [], usage, stop: "end" }) },
    },
  })
  const { id, done } = runtime.run("worker", "Mend the tests\nand say what was wrong with them.")
  await done
  await runtime.close()
  const [name] = fs.readdirSync(path.join(directory, id)).filter((file) => /^log\.2\./.test(file))
  const lines = fs
    .readFileSync(path.join(directory, id, name), "utf8")
    .trimEnd()
    .split("\n")
  const unended = lines.filter((line) => !line.includes('"type":"run-end"') && !line.includes('"released"'))
  const blobs = path.join(id, "blobs")
  const total = ended + open - 1
  const step = Math.floor(total / open)
  for (let index = 0; index < total; index++) {
    const isOpen = index % step === 1 && index < open * step
    const run = id.slice(0, 10) + index.toString(8).padStart(16, "0")
    const folder = path.join(directory, run)
    fs.mkdirSync(folder)
    if (fs.existsSync(path.join(directory, blobs)) && isOpen)
      fs.cpSync(path.join(directory, blobs), path.join(folder, "blobs"), { recursive: true })
    fs.writeFileSync(
      path.join(folder, "log.1.jsonl"),
      (isOpen ? unended : lines).map(renamed(id, run)).join(""),
    )
  }
}

/** A line of a log with another id, and so with another sum. */
function renamed(from, to) {
  return (line) => {
    const [, place, rest] = /^\{"crc":"[0-9a-f]{8}(\+?)",(.*)$/.exec(line)
    const text = `{${rest.replaceAll(from, to)}`
    return `{"crc":"${crc32(text).toString(16).padStart(8, "0")}${place}",${text.slice(1)}\n`
  }
}
