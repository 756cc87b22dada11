import { isMcpServerName, mcpServerProblem } from "../../agent/mcp-server.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type Entries, wrong } from "./read-entries.ts"

interface Placed extends Entries {
  /** The place that a path in this file means. */
  absolute(place: string): string
}

/** The entries below `mcpServers:`, with their paths made absolute. What is wrong is left out and said; a project has none. */
export function readMcpServers(map: JsonMap, { key, of, report, absolute }: Placed): JsonMap {
  if (of === "project") {
    const message = `\`${key}\` is left out: only your own configuration may name servers, because they are programs that run on your machine. Set it there, and remove it here.`
    report(wrong(message, [key]))
    return {}
  }
  const read: [string, JsonMap][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const problem = isMcpServerName(name)
      ? mcpServerProblem(value)
      : "is no name for a server: use letters, digits, `.`, `-` and single `_`"
    if (problem !== undefined || !isMap(value))
      report(wrong(`\`${key}.${name}\` ${problem}; it is left out.`, [key, name]))
    else read.push([name, settled(value, absolute)])
  }
  return Object.fromEntries(read)
}

function settled(entry: JsonMap, absolute: Placed["absolute"]): JsonMap {
  // What is filled in later begins where it says.
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
