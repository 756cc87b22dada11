// Loads a folder of definitions four times in a process that is started for it: node --expose-gc load-worker.mjs LOADER
// FOLDER COUNT. Sends what the first time took, and the median of the others.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { median } from "./statistics.mjs"

const each = (look) => (folder) =>
  readdirSync(folder).filter((name) => name.endsWith(".md") && look(join(folder, name))).length

const loaders = {
  read: each((file) => readFileSync(file, "utf8").length > 0),
  stat: each((file) => statSync(file).size > 0),
}

const [, , loader, folder, count] = process.argv
// The floors run without cadre in their process.
const load = loaders[loader] ?? (await import("../loader.mjs")).load
const cold = timed()
const warm = median([timed(), timed(), timed()])
process.send({ cold, warm })
process.disconnect()

function timed() {
  globalThis.gc()
  const started = performance.now()
  const loaded = load(folder)
  const ms = performance.now() - started
  if (loaded !== Number(count)) throw new Error(`${loader} loaded ${loaded} definitions of ${count}.`)
  return ms
}
