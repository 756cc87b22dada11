// One scenario of one adapter, in a process that is started for it: node --expose-gc worker.mjs ADAPTER URL SCENARIO PARAMETERS
import { once } from "node:events"
import { pathToFileURL } from "node:url"
import { scenarios } from "./scenarios.mjs"

// The AI SDK prints warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false
const [, , file, url, scenario, parameters] = process.argv
// The parent asks the server: with requests of our own, V8 would compile Node's sockets for a second client.
const server = { stats: () => ask("stats"), reset: () => ask("reset") }
const result = await measured().catch((error) => ({ type: "failed", reason: String(error?.stack ?? error) }))
process.send(result, () => process.exit(0))

async function measured() {
  const { create } = await import(pathToFileURL(file).href)
  const adapter = create({ baseURL: `${url}/v1` })
  return { type: "measured", ...(await scenarios[scenario](adapter, server, JSON.parse(parameters))) }
}

async function ask(question) {
  process.send({ type: "question", question })
  return (await once(process, "message"))[0]
}
