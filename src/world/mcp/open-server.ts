import { isMcpProgram, type McpServerSettings, mcpServerProblem } from "../../agent/mcp-server.ts"
import { AddressWire } from "./address-wire.ts"
import type { McpBounds } from "./bounds.ts"
import { type Connection, connect } from "./connection.ts"
import { expandEntry } from "./expand.ts"
import { ServerFailure } from "./failure.ts"
import { ProgramWire } from "./program-wire.ts"
import { type ServerPlace, startProgram } from "./start-program.ts"

/** Starts a server, or reaches it at its address. Throws a ServerFailure; then nothing of it is left. */
export async function openServer(
  name: string,
  entry: McpServerSettings,
  place: ServerPlace,
  bounds: McpBounds,
): Promise<Connection> {
  const settings = expandEntry(entry, place.environment ?? process.env)
  if ("missing" in settings)
    throw new ServerFailure(
      "refused",
      `its entry names ${settings.missing.join(" and ")}, and no such variable is set`,
    )
  const problem = mcpServerProblem(settings)
  if (problem !== undefined) throw new ServerFailure("refused", `its entry ${problem}`)
  if (!isMcpProgram(settings)) return connect(new AddressWire(settings, bounds), bounds)
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
