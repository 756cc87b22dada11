import type { McpServerSettings } from "../../agent/mcp-server.ts"

/** One line for a person who decides about a server: everything that its entry starts, and gives to it. */
export function describeServer(name: string, settings: McpServerSettings): string {
  const { tools } = settings
  const only = tools ? [`only its tools ${tools.join(", ")}`] : []
  if ("url" in settings) {
    const parts = [
      `connects to the MCP server ${name} at ${settings.url}`,
      ...valuesIn("headers", settings.headers),
    ]
    return [...parts, ...only].join("; ")
  }
  const {
    command,
    args = [],
    env,
    network = "none",
    workspace = "none",
    visible = [],
    writable = [],
  } = settings
  return [
    `starts the MCP server ${name}: ${[command, ...args].map((word) => JSON.stringify(word)).join(" ")}`,
    `network ${network}`,
    `workspace ${workspace}`,
    ...(visible.length > 0 ? [`may read ${visible.join(", ")}`] : []),
    ...(writable.length > 0 ? [`may write ${writable.join(", ")}`] : []),
    ...valuesIn("variables", env),
    ...only,
  ].join("; ")
}

const valuesIn = (what: string, map: Readonly<Record<string, string>> = {}): readonly string[] => {
  const values = Object.entries(map).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return values.length === 0 ? [] : [`${what} ${values.join(" ")}`]
}
