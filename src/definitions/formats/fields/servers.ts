import type { Agent } from "../../../agent/agent.ts"
import { type McpEntryOwner, readMcpEntry } from "../../../agent/mcp-entry.ts"
import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { Problem } from "../problem.ts"
import type { Field, FieldReading } from "./field.ts"

/** `none`, names of configured servers, or entries of servers that only this agent has. */
export const mcpServersField: Field = {
  key: "mcpServers",
  aliases: ["mcp-servers", "mcp_servers"],
  into: "mcpServers",
  doc: "MCP servers: `none`, names of configured servers, or `{name: entry}` for servers that only this agent has.",
  type: { type: "either", of: [{ type: "map" }, { type: "words" }, { type: "list" }] },
  otherwise: "the servers of the configuration",
  read(draft, value, reading, key = "mcpServers") {
    draft.mcpServers = readServers(value, reading, key)
  },
  // A list that cannot be read must not mean every server.
  refuse(draft) {
    draft.mcpServers = []
  },
  write: ({ mcpServers }) => mcpServers as Json | undefined,
}

/** The names and the usable entries. A list without any of them means no server. */
function readServers(
  value: Json,
  { options: { scope }, report }: FieldReading,
  key: string,
): NonNullable<Agent["mcpServers"]> {
  const owner: McpEntryOwner = scope === "project" || scope === "package" ? "project" : "definition"
  const readEntries = (entries: JsonMap, path: KeyPath): readonly JsonMap[] => {
    const usable: JsonMap[] = []
    const names = Object.keys(entries)
    for (const name of names) {
      const entry = readMcpEntry(name, entries[name]!, owner)
      if (entry.type === "server") usable.push(names.length === 1 ? entries : { [name]: entries[name]! })
      else if (entry.type === "invalid")
        report(
          problem(
            `the MCP server ${JSON.stringify(name)} ${entry.problem}.`,
            entry.key === undefined ? [...path, name] : [...path, name, entry.key],
            entry.code,
          ),
        )
    }
    return usable
  }
  if (isMap(value)) return readEntries(value, [key])
  const items = value as readonly Json[]
  if (items.length === 1 && items[0] === "none") return []
  return items.flatMap((item, index): readonly (string | JsonMap)[] => {
    const path = [key, index]
    if (isMap(item)) return readEntries(item, path)
    if (typeof item === "string" && item !== "none") return [item]
    const why =
      item === "none"
        ? "`none` stands for no server, so it must be alone. Remove it, or remove the others."
        : `an MCP server must be a name or \`{name: entry}\`, but this is ${JSON.stringify(item)}.`
    report(problem(why, path, "mcp-server-invalid"))
    return []
  })
}

const problem = (message: string, path: KeyPath, code: Problem["code"]): Problem => ({
  code,
  severity: "error",
  message: message.replace(/^t/, "T").replace(/^an /, "An "),
  at: { type: "value", path },
})
