// One scenario of one adapter, in a process that is started for it: node --expose-gc worker.mjs ADAPTER URL SCENARIO PARAMETERS
import { pathToFileURL } from "node:url"
import { scenarios } from "./scenarios.mjs"

// The AI SDK prints warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false
const [, , file, url, scenario, parameters] = process.argv
const server = {
  stats: async () => (await fetch(`${url}/__stats`)).json(),
  reset: async () => (await fetch(`${url}/__reset`)).json(),
}
const result = await measured().catch((error) => ({ type: "failed", reason: String(error?.stack ?? error) }))
process.send(result, () => process.exit(0))

async function measured() {
  const { create } = await import(pathToFileURL(file).href)
  const adapter = create({ baseURL: `${url}/v1` })
  return { type: "measured", ...(await scenarios[scenario](adapter, server, JSON.parse(parameters))) }
}
