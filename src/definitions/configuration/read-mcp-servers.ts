import { isMcpServerName, mcpServerProblem } from "../../agent/mcp-server.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type EntryContext, settingProblem } from "./read-entries.ts"

interface Placed extends EntryContext {
  /** Makes a path of this file absolute. */
  absolute(place: string): string
}

/** Reads the entries below `mcpServers:` and makes paths absolute. Reports invalid entries. A project may have none. */
export function readMcpServers(map: JsonMap, { key, of, report, absolute }: Placed): JsonMap {
  if (of === "project") {
    const message = `\`${key}\` is not allowed in a project's configuration: only your own may define servers, because they are programs that run on your machine. Define them there, and remove them from this file.`
    report(settingProblem(message, [key]))
    return {}
  }
  const read: [string, JsonMap][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const problem = isMcpServerName(name)
      ? mcpServerProblem(value)
      : "is not a valid name of a server: use letters, digits, `.`, `-` and single `_`"
    if (problem !== undefined || !isMap(value))
      report(settingProblem(`\`${key}.${name}\` ${problem}. No run starts with this setting.`, [key, name]))
    else read.push([name, normalise(value, absolute)])
  }
  return Object.fromEntries(read)
}

function normalise(entry: JsonMap, absolute: Placed["absolute"]): JsonMap {
  // A path that begins with a variable is resolved later.
  const place = (text: string) => (text.startsWith("$") ? text : absolute(text))
  const places = (list: Json) => (list as readonly string[]).filter((one) => one !== "").map(place)
  const { command, visible, writable } = entry
  return {
    ...entry,
    ...(typeof command === "string" && /^~|\//.test(command) && { command: place(command) }),
    ...(visible !== undefined && { visible: places(visible) }),
    ...(writable !== undefined && { writable: places(writable) }),
  }
}
