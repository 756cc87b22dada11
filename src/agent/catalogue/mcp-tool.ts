import type { KnownTool } from "./known-tool.ts"

/**
 * Reads the forms in which hosts write tools of MCP servers. `SERVER_TOOL` of opencode is left out, because
 * it may be anything.
 */
export function readMcpTool(name: string): KnownTool | undefined {
  const match = shapes.map((shape) => shape.exec(name)).find((candidate) => candidate !== null)
  if (match) return serverTool(match[1]!, match[2])
  return pathTool(name)
}

/** The registered name of a tool of an MCP server; `*` means all tools of the server. */
export const writeMcpName = ({ server, tool }: Extract<KnownTool, { type: "mcp" }>): string =>
  `mcp__${server}__${tool ?? "*"}`

const shapes = [
  // Claude Code and Qwen: mcp__server, mcp__server__tool, mcp__server__*
  /^mcp__([^*]+?)(?:__(.+))?$/s,
  // Gemini ends the server's name at the next underscore.
  /^mcp_([^_*]+)_(.+)$/,
  // Kiro: @server, @server/tool
  /^@([\w.-]+)(?:\/(.+))?$/,
  // pi: mcp:server, mcp:server/tool
  /^mcp:([\w.-]+)(?:\/(.+))?$/,
  // VS Code accepts a bare server: a name that says so, or the two servers that Copilot brings.
  /^([\w.-]*[.-]mcp(?:-server)?|github|playwright)$/,
]

/** The prefixes of VS Code's own tools: `edit/…` is never a server. */
const toolSets = new Set(
  "agent browser edit execute new read runCommands runNotebooks runTasks search todo vscode web".split(" "),
)

/** Copilot: server/tool, server/*; a server from the registry has a slash in its own name. */
function pathTool(name: string): KnownTool | undefined {
  const match = /^((?:[\w.-]+\/)?[\w.-]+)\/([\w.*-]+)$/.exec(name)
  if (!match || toolSets.has(match[1]!)) return undefined
  const isExtension = /^[\w-]+\.[\w-]+$/.test(match[1]!) && !match[1]!.endsWith(".mcp")
  return isExtension ? { type: "foreign", hosts: ["vscode-extensions"] } : serverTool(match[1]!, match[2])
}

function serverTool(server: string, tool: string | undefined): KnownTool {
  return tool === undefined || tool === "*" ? { type: "mcp", server } : { type: "mcp", server, tool }
}
