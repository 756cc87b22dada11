import { listProjectServers } from "../../../assembly/project/servers.ts"
import { checkServerFiles } from "../../../definitions/authority/trusted-servers.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import type { ProjectRuns } from "../run/open.ts"
import type { DoctorFinding } from "./finding.ts"

type Runs = Pick<ProjectRuns, "workspace" | "standing" | "configuration">

/** Lists every configured MCP server: the file that names it, and whether it may start. Starts none. */
export function examineServers(runs: Runs, directory: string): readonly DoctorFinding[] {
  const entries = listProjectServers({ ...runs, trusting: runs.standing })
  return [
    ...entries.map(({ name, of, file, withheld }): DoctorFinding => {
      const place = file === undefined ? "your configuration" : toDisplayPath(file, directory)
      const finding = { part: "MCP servers", what: name } as const
      return withheld === undefined
        ? { ...finding, state: of === "user" ? `yours, ${place}` : `trusted, ${place}`, level: "fine" }
        : { ...finding, state: `not started, ${place}`, level: "note", reason: `It ${withheld}.` }
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
