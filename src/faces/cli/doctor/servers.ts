import { isMcpProgram, type McpAddress, type McpServerSettings } from "../../../agent/mcp-server.ts"
import { readIdlePatterns } from "../../../assembly/project/project-servers.ts"
import { listProjectServers } from "../../../assembly/project/servers.ts"
import { checkServerFiles } from "../../../definitions/authority/trusted-servers.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { describeThrown } from "../../../ground/errors.ts"
import { findProgram } from "../../../world/executors/find-program.ts"
import { boundPlace, placeOfRun, type ServerBounds } from "../../../world/mcp/bound-place.ts"
import { expandEntry } from "../../../world/mcp/expand.ts"
import { type InspectionPlace, inspectServer } from "../../../world/mcp/inspect-server.ts"
import type { KnownServer } from "../../../world/mcp/known-servers.ts"
import { isSameServer } from "../../../world/mcp/login/addresses.ts"
import { readLogin, type SavedLogin } from "../../../world/mcp/login/login-file.ts"
import { resolveProgramCommand } from "../../../world/mcp/start-program.ts"
import type { ProcessContext } from "../command.ts"
import { getOpenServers } from "../mcp/open.ts"
import type { ProjectRuns } from "../run/open.ts"
import type { DoctorDepth } from "./authority.ts"
import type { DoctorFinding } from "./finding.ts"

/**
 * Checks the MCP servers that runs may use, and the user's logins at them. Servers of an untrusted project are none of
 * them. Only `try` starts programs and sends requests.
 */
export async function examineServers(
  surroundings: ProcessContext,
  runs: Pick<ProjectRuns, "workspace" | "standing" | "configuration" | "diagnostics" | "parts">,
  depth: DoctorDepth,
): Promise<readonly DoctorFinding[]> {
  const { servers, inspection } = getOpenServers(runs, surroundings)
  const now = surroundings.now?.() ?? Date.now()
  const findings = await Promise.all(
    [...servers].map(async ([name, server]) => {
      const settings = expandEntry(server.settings, surroundings.environment)
      if ("missing" in settings)
        return [
          broken(
            name,
            "cannot be asked",
            `These environment variables are not set: ${settings.missing.join(", ")}.`,
          ),
        ]
      const login = isMcpProgram(settings) ? [] : examineLogin(name, settings, inspection.bounds, now)
      const isBroken = login.some(({ level }) => level === "broken")
      const own =
        depth === "try" && !isBroken
          ? await tryServer(server, inspection)
          : look(server, settings, inspection)
      return [own, ...login]
    }),
  )
  return [
    ...findings.flat(),
    ...examineProjectServers(runs, surroundings.directory),
    ...examinePatterns(runs, surroundings),
  ]
}

/** Patterns in the lists of agents that match no tool. An agent without any tool has its own row. */
function examinePatterns(
  runs: Pick<ProjectRuns, "workspace" | "parts">,
  surroundings: Pick<ProcessContext, "environment">,
): readonly DoctorFinding[] {
  const idlePatternsOf = readIdlePatterns(runs, surroundings)
  return runs.workspace.registry.all().flatMap((agent): readonly DoctorFinding[] => {
    const idle = idlePatternsOf(agent)
    if (idle.length === 0 || idle.length === agent.tools.allow.length) return []
    const reason = idle.map(({ text }) => text).join(" ")
    return [
      { part: "MCP servers", what: `tools of ${agent.name}`, state: "some not found", level: "note", reason },
    ]
  })
}

/** Lists the servers that files of the project name, whether they may start, and the problems of these files. */
function examineProjectServers(
  runs: Pick<ProjectRuns, "workspace" | "standing" | "configuration">,
  directory: string,
): readonly DoctorFinding[] {
  const entries = listProjectServers({ ...runs, trusting: runs.standing })
  return [
    ...entries.flatMap(({ name, of, file, withheld }): readonly DoctorFinding[] => {
      const place = file === undefined ? "your configuration" : toDisplayPath(file, directory)
      const finding = { part: "MCP servers", what: name } as const
      if (withheld !== undefined)
        return [{ ...finding, state: `not started, ${place}`, level: "note", reason: `It ${withheld}.` }]
      return of === "user" ? [] : [{ ...finding, state: `trusted, ${place}`, level: "fine" }]
    }),
    ...checkServerFiles(runs.workspace).map(
      ({ file, range, message, severity }): DoctorFinding => ({
        part: "MCP servers",
        what: toDisplayPath(file ?? "", directory),
        state: severity === "info" ? "read" : "has problems",
        level: "note",
        reason: `line ${range.start.line}: ${message}`,
      }),
    ),
  ]
}

const broken = (what: string, state: string, reason: string): DoctorFinding => ({
  part: "MCP servers",
  what,
  state,
  level: "broken",
  reason,
})

async function tryServer(server: KnownServer, place: InspectionPlace): Promise<DoctorFinding> {
  const { name } = server.tag
  const inspection = await inspectServer(server, place)
  if (inspection.state === "failed") return broken(name, "cannot be asked", `${inspection.why}.`)
  const { tools, tokens, leftOut, changes } = inspection
  if (changes.length > 0)
    return {
      ...broken(name, "changed", `Its tools are not those that were accepted, so no run uses it.`),
      remedy: `\`cadre mcp list ${name}\` shows the difference, and \`cadre trust --server ${name}\` accepts it.`,
    }
  return {
    part: "MCP servers",
    what: name,
    state: `works, ${tools.length} tools, about ${tokens} tokens`,
    level: "fine",
    ...(leftOut.length > 0 && {
      reason: `${leftOut.length} of its tools cannot be used.`,
      remedy: `\`cadre mcp tools ${name}\` shows why.`,
    }),
  }
}

function look(
  server: KnownServer,
  settings: McpServerSettings,
  { bounds, ...run }: InspectionPlace,
): DoctorFinding {
  const { name } = server.tag
  const remedy = "`cadre doctor --try` asks it for its tools."
  const finding = { part: "MCP servers", what: name, level: "fine", remedy } as const
  if (!isMcpProgram(settings)) return { ...finding, state: new URL(settings.url).origin }
  const command = resolveProgramCommand(settings, boundPlace(server, bounds, placeOfRun(bounds, run)))
  const program = findProgram(command, bounds.environment?.PATH ?? "")
  return "problem" in program
    ? broken(name, "cannot be started", `${program.problem.replace(/\.$/, "")}.`)
    : { ...finding, state: program.path }
}

/** The user's login at a server. A server may need none, so a missing login is nothing to report here. */
function examineLogin(
  name: string,
  { url }: McpAddress,
  { logins }: ServerBounds,
  now: number,
): readonly DoctorFinding[] {
  const finding = { part: "MCP servers", what: `${name}, login` } as const
  const remedy = `Run \`cadre mcp login ${name}\`.`
  try {
    const login = logins && readLogin(logins, name)
    if (!login) return []
    if (!isSameServer(login.server, url))
      return [
        {
          ...finding,
          state: "for another address",
          level: "note",
          reason: `It is for ${login.server}.`,
          remedy,
        },
      ]
    const { expires, refreshToken, issuer } = login
    if (expires === undefined) return [{ ...finding, state: `by ${issuer}`, level: "fine" }]
    if (refreshToken !== undefined)
      return [
        {
          ...finding,
          state: `by ${issuer}, renewed when needed, token until ${dateOf(login)}`,
          level: "fine",
        },
      ]
    return expires > now
      ? [{ ...finding, state: `expires at ${dateOf(login)}`, level: "note", remedy }]
      : [{ ...finding, state: "needs login", level: "broken", reason: "It has expired.", remedy }]
  } catch (error) {
    return [{ ...finding, state: "cannot be read", level: "broken", reason: `${describeThrown(error)}.` }]
  }
}

const dateOf = ({ expires }: SavedLogin): string => new Date(expires!).toISOString()
