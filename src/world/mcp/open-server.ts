import {
  findMcpServerProblem,
  isMcpProgram,
  type McpAddress,
  type McpServerSettings,
} from "../../agent/mcp-server.ts"
import { AddressWire } from "./address-wire.ts"
import type { McpBounds } from "./bounds.ts"
import { type ConnectionOptions, connectToServer, type McpConnection } from "./connection.ts"
import { expandEntry } from "./expand.ts"
import { ServerFailure } from "./failure.ts"
import { ProgramWire } from "./program-wire.ts"
import { type ServerPlace, startProgram } from "./start-program.ts"

/**
 * Starts a server's program, or connects to its address. Throws a ServerFailure, after closing everything that it
 * opened.
 */
export async function openServer(
  name: string,
  entry: McpServerSettings,
  place: ServerPlace,
  { start, ...others }: McpBounds,
): Promise<McpConnection> {
  const bounds = { ...others, start: entry.startTimeout ?? start }
  const settings = expandEntry(entry, place.environment ?? process.env)
  if ("missing" in settings)
    throw new ServerFailure(
      "refused",
      `its entry uses environment variables that are not set: ${settings.missing.join(", ")}`,
    )
  const problem = findMcpServerProblem(settings)
  if (problem !== undefined) throw new ServerFailure("refused", `its entry ${problem}`)
  if (!isMcpProgram(settings)) return openAddress(name, settings, place, bounds)
  const { grace } = bounds
  const offers = offersOf(settings, place)
  const wire = () =>
    new ProgramWire((talk, signal) => startProgram(name, settings, place, { ...talk, signal, grace }), bounds)
  try {
    return await connectToServer(wire(), bounds, offers)
  } catch (error) {
    // Some servers exit at any request before `initialize`, so the second attempt starts with that.
    if (error instanceof ServerFailure && error.type === "ended")
      return connectToServer(wire(), bounds, { era: "initialize", ...offers })
    throw error
  }
}

/** A server with an `Authorization` header in its entry needs no login. */
async function openAddress(
  name: string,
  settings: McpAddress,
  place: ServerPlace,
  bounds: McpBounds,
): Promise<McpConnection> {
  const { url, headers = {} } = settings
  const { logins } = place
  const offers = offersOf(settings, place)
  if (!logins || Object.keys(headers).some((header) => header.toLowerCase() === "authorization"))
    return connectToServer(new AddressWire(settings, bounds), bounds, offers)
  const { ServerAccess } = await import("./login/server-access.ts")
  const access = new ServerAccess({ name, url, logins, maxBytes: bounds.message })
  return connectToServer(new AddressWire(settings, bounds, access), bounds, offers)
}

/** The things that a server may ask for. Without answers to its questions there is no run, and so no model. */
const offersOf = (
  { roots = "none", sampling = "none" }: Pick<McpServerSettings, "roots" | "sampling">,
  { questions = "answered" }: Pick<ServerPlace, "questions">,
): ConnectionOptions => ({
  roots,
  questions,
  sampling: sampling === "none" || questions === "none" ? "none" : "offered",
})
