import { isMcpProgram, type McpServerSettings, mcpServerProblem } from "../../agent/mcp-server.ts"
import type { McpBounds } from "./bounds.ts"
import { type Connection, connect } from "./connection.ts"
import { ServerFailure } from "./failure.ts"
import { ProgramWire } from "./program-wire.ts"
import { type ServerPlace, startProgram } from "./start-program.ts"

/** Starts a server, or reaches it at its address. Throws a ServerFailure; then nothing of it is left. */
export async function openServer(
  name: string,
  settings: McpServerSettings,
  place: ServerPlace,
  bounds: McpBounds,
): Promise<Connection> {
  const problem = mcpServerProblem(settings)
  if (problem !== undefined) throw new ServerFailure("refused", `its entry ${problem}`)
  if (!isMcpProgram(settings)) throw new ServerFailure("refused", "servers at an address are not asked yet")
  const { grace } = bounds
  const wire = () =>
    new ProgramWire((talk, signal) => startProgram(name, settings, place, { ...talk, signal, grace }), bounds)
  try {
    return await connect(wire(), bounds)
  } catch (error) {
    // Some end when they are asked anything before they are greeted.
    if (error instanceof ServerFailure && error.type === "ended") return connect(wire(), bounds, "initialize")
    throw error
  }
}
