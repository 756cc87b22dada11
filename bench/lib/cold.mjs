// Imports an adapter, hence its library, makes one agent and ends: node cold.mjs ADAPTER
import { pathToFileURL } from "node:url"

const { create } = await import(pathToFileURL(process.argv[2]).href)
create({ baseURL: "http://127.0.0.1:9/v1" }).agent({ turns: 1 })
process.exit(0)
