// Fills a folder with the logs of many runs.
import fs from "node:fs"
import path from "node:path"
import { crc32 } from "node:zlib"
import { createRuntime, defineAgent, jsonlStore } from "../../dist/index.mjs"

/** Drives one run, and copies its log under other ids. Copies without the end are the open runs, among the ended ones. */
export async function storeRuns(directory, { ended, open }) {
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

/** A line of a log under another id, with the checksum that it then has. */
function renamed(from, to) {
  return (line) => {
    const [, place, rest] = /^\{"crc":"[0-9a-f]{8}(\+?)",(.*)$/.exec(line)
    const text = `{${rest.replaceAll(from, to)}`
    return `{"crc":"${crc32(text).toString(16).padStart(8, "0")}${place}",${text.slice(1)}\n`
  }
}
