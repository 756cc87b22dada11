import type { KnownTool } from "./known-tool.ts"

/** The shapes in which hosts write tools of MCP servers. `SERVER_TOOL` of opencode is not among them: it may be anything. */
export function mcpTool(name: string): KnownTool | undefined {
  const match = shapes.map((shape) => shape.exec(name)).find((found) => found !== null)
  if (match) return serverTool(match[1]!, match[2])
  return pathTool(name)
}

/** The name that a tool of an MCP server is registered by; `*` stands for all tools of the server. */
export const mcpName = ({ server, tool }: Extract<KnownTool, { type: "mcp" }>): string =>
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
  // VS Code takes a bare server: a name that says it is one, or the two that Copilot brings.
  /^([\w.-]*[.-]mcp(?:-server)?|github|playwright)$/,
]

/** What comes before the slash in VS Code's own tools: `edit/…` never is a server. */
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
