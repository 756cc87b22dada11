import { isMcpProgram, type McpServerSettings } from "../../agent/mcp-server.ts"
import { describeThrown } from "../../ground/errors.ts"
import { ServerFailure } from "./failure.ts"

/** Explains why a server cannot be asked for its tools, with the rights that a sandboxed program may lack. */
export function explainFailure(error: unknown, settings: McpServerSettings): string {
  const why = describeThrown(error)
  if (error instanceof ServerFailure && error.type === "refused") return why
  if (!isMcpProgram(settings) || settings.sandbox === "off") return why
  const { network = "none", workspace = "none" } = settings
  const missing = [
    ...(network === "none" ? ["`network: full` for the network"] : []),
    ...(workspace === "none" ? ["`workspace: read` for the workspace"] : []),
    "`visible: [FOLDER]` for a folder in your home or in /tmp",
  ]
  return `${why}. It runs in the sandbox and has only what its entry allows. If it needs more, add ${missing.join(", ")}`
}
