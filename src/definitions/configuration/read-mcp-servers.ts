import { readMcpEntry } from "../../agent/mcp-entry.ts"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import type { JsonMap } from "../../ground/message.ts"
import { type EntryContext, makeSettingProblem } from "./read-entries.ts"

interface Placed extends EntryContext {
  /** Makes a path of this file absolute. */
  absolute(place: string): string
}

/** Reads the entries below `mcpServers:` and makes paths absolute. Invalid entries are left out and reported. */
export function readMcpServers(map: JsonMap, { key, of, report, absolute }: Placed): JsonMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([name, value]): readonly (readonly [string, JsonMap])[] => {
      if (value === null) return []
      const entry = readMcpEntry(name, value, of)
      if (entry.type === "disabled") return []
      if (entry.type === "invalid") {
        const inner = entry.key === undefined ? [] : [entry.key]
        const finding = makeSettingProblem(
          `\`${key}.${name}\` ${entry.problem}. No run starts with this setting.`,
          [key, name, ...inner],
        )
        report({ ...finding, ...(entry.code === "mcp-server-secret" && { code: entry.code }) })
        return []
      }
      return [[name, withAbsolutePaths(entry.settings, absolute) as unknown as JsonMap]]
    }),
  )
}

/** A path that begins with a variable is resolved when the server starts. */
export function withAbsolutePaths(
  settings: McpServerSettings,
  absolute: (place: string) => string,
): McpServerSettings {
  if ("url" in settings) return settings
  const place = (text: string) => (text.startsWith("$") ? text : absolute(text))
  const places = (list: readonly string[]) => list.filter((one) => one !== "").map(place)
  const { command, visible, writable } = settings
  return {
    ...settings,
    ...(/^~|\//.test(command) && { command: place(command) }),
    ...(visible !== undefined && { visible: places(visible) }),
    ...(writable !== undefined && { writable: places(writable) }),
  }
}
