// Reading and reloading folders of definitions, and the start of the command line. Prints one JSON line.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const bench = fileURLToPath(new URL("../../shared/bench/lib/", import.meta.url))
const { generate } = await import(join(bench, "gen-defs.mjs"))
const rounds = Number(process.argv[2] ?? 3)
const folder = mkdtempSync(join(tmpdir(), "cadre-bench-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const files = generate(join(folder, "n10000"), 10_000)
// A file that was changed a moment ago is read again, because a second change could hide in the same moment.
await new Promise((resolve) => setTimeout(resolve, 2_500))
const one = (key) => {
  const words = ["--expose-gc", join(bench, "defs.mjs"), "--one", key, files, "10000"]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" })
  const at = stdout.lastIndexOf("@@")
  if (at < 0) throw new Error(stderr)
  return JSON.parse(stdout.slice(at + 2))
}
const cold = []
const warm = []
for (let round = 0; round < rounds; round++) {
  const read = one("floor: readFileSync")
  const stat = one("floor: readdir + stat (cache check)")
  const ours = one(join(here, "loader.mjs"))
  cold.push(ours.cold / read.cold)
  warm.push(ours.warm / stat.warm)
}

const project = join(folder, "project")
mkdirSync(join(project, ".git"), { recursive: true })
generate(join(project, ".claude/agents"), 1_000)
const cli = join(here, "../dist/cli.mjs")
const timed = (...words) => {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: project,
    env: { ...process.env, HOME: folder },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${words.join(" ")}: ${status} ${stderr}`)
  return performance.now() - started
}
const version = []
const list = []
for (let round = 0; round < 15; round++) {
  const floor = timed("-e", "0")
  version.push(timed(cli, "--version") / floor)
  list.push(timed(cli, "list") / floor)
}
console.log(JSON.stringify({ cold, warm, version, list }))
