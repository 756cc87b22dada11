import { hash } from "../ground/crypto.ts"
import { isMap, type Json, type JsonMap } from "../ground/message.ts"
import type { Agent } from "./agent.ts"
import { type McpEntry, readMcpEntry } from "./mcp-entry.ts"
import type { McpServerSettings } from "./mcp-server.ts"
import type { ToolServer } from "./tool.ts"

/** A server that a definition brings, at its place in the list. */
export interface BroughtServer {
  readonly name: string
  readonly index: number
  readonly entry: McpEntry
  /** Absent where the entry cannot be used. */
  readonly digest?: string
}

/** The MCP servers of a definition. `names`: undefined for all servers of the configuration. */
export interface ServerChoice {
  readonly names: readonly { readonly name: string; readonly index: number }[] | undefined
  readonly brought: readonly BroughtServer[]
  /** Items of the list that are neither a name nor an entry. */
  readonly unreadable: readonly { readonly index: number; readonly value: Json }[]
}

type Choosing = Pick<Agent, "mcpServers"> & { readonly origin?: Agent["origin"] }

/** Reads `mcpServers` of a definition: it names servers of the configuration, brings its own, or does both. */
export function readServerChoice({ mcpServers, origin }: Choosing): ServerChoice {
  if (mcpServers === undefined) return everyServer
  const cached = choices.get(mcpServers)
  if (cached) return cached
  const owner = origin?.scope === "project" || origin?.scope === "package" ? "project" : "definition"
  const items = mcpServers.map((value, index) => ({ value: value as Json, index }))
  const choice: ServerChoice = {
    names: items.flatMap(({ value, index }) => (typeof value === "string" ? [{ name: value, index }] : [])),
    brought: items.flatMap(({ value, index }) =>
      Object.entries(isMap(value) ? value : {}).map(([name, entry]) => bring(name, index, entry, owner)),
    ),
    unreadable: items.filter(({ value }) => typeof value !== "string" && !isMap(value)),
  }
  choices.set(mcpServers, choice)
  return choice
}

const everyServer: ServerChoice = { names: undefined, brought: [], unreadable: [] }

const choices = new WeakMap<object, ServerChoice>()

function bring(name: string, index: number, value: Json, owner: "project" | "definition"): BroughtServer {
  const entry = readMcpEntry(name, value, owner)
  const digest = entry.type === "server" ? { digest: digestServer(name, entry.settings) } : {}
  return { name, index, entry, ...digest }
}

/** True if an agent may use the tools of this server, as far as its definition goes. */
export function hasServer(agent: Choosing, { name, entry, brought }: ToolServer): boolean {
  const choice = readServerChoice(agent)
  if (brought || choice.names === undefined)
    return brought ? choice.brought.some(({ digest }) => digest === entry) : true
  return (
    choice.names.some((one) => one.name === name) || choice.brought.some(({ digest }) => digest === entry)
  )
}

/**
 * A digest of what an entry starts: the program, its arguments, the names of its variables, the folders and the network.
 * Values of variables are left out, because they may be secret and are looked up at every start.
 */
export const digestServer = (name: string, settings: McpServerSettings): string =>
  hash("sha256", JSON.stringify([name, sortKeys(withoutValues(settings))]), "hex").slice(0, 16)

function withoutValues(settings: McpServerSettings): JsonMap {
  const { env, headers, timeout: _, startTimeout: __, ...rest } = settings as unknown as JsonMap
  const names = (map: Json | undefined) =>
    isMap(map ?? null)
      ? Object.fromEntries(Object.entries(map as JsonMap).map(([name, text]) => [name, variablesIn(text)]))
      : {}
  return { ...rest, env: names(env), headers: names(headers) }
}

const variablesIn = (text: Json): readonly string[] =>
  [...String(text).matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name]) => name!)

/** The same value with the keys of every map in order. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key]!)]),
  )
}
