/** Opens a server, says so, and does nothing more until it is killed. */
import type { McpProgram } from "../../src/agent/mcp-server.ts"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"
import type { ServerPlace } from "../../src/world/mcp/start-program.ts"

const { settings, place } = JSON.parse(process.argv[2]!) as {
  readonly settings: McpProgram
  readonly place: ServerPlace
}
await openServer("killed", settings, place, defaultMcpBounds)
process.stdout.write("open\n")
setInterval(() => {}, 1_000)
