import { escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import { type InspectedTool, inspectServer } from "../../../world/mcp/inspect-server.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import { describeChangedServer } from "./list.ts"
import { type McpContext, openServers, type Print, requireServer } from "./open.ts"

interface Listing {
  readonly server: string
  readonly print: Print
  readonly trust: "kept" | "all"
}

/** Shows the tools of one server as runs get them. */
export async function listServerTools(
  { server, print, trust }: Listing,
  { stdout, stderr, ...context }: McpContext,
): Promise<ExitCode> {
  const open = openServers(trust, context)
  const inspection = await inspectServer(requireServer(open, server), open.inspection)
  if (print === "json") stdout.write(writeJsonText({ server, from: open.sourceOf(server), ...inspection }))
  if (inspection.state === "failed") {
    stderr.write(
      `${escapeLines(`The MCP server ${server} cannot be asked for its tools: ${inspection.why}.`)}\n`,
    )
    return exitCode.problems
  }
  if (print === "text") {
    const { tools, leftOut, tokens, changes } = inspection
    const rows = tools.map((tool) => [tool.name, tool.effect, String(tool.tokens), schemaText(tool)])
    stdout.write(`${formatTable([["TOOL", "EFFECT", "TOKENS", "SCHEMA"], ...rows])}\n`)
    if (leftOut.length > 0)
      stdout.write(`\nLeft out:\n${formatTable(leftOut.map(({ name, why }) => [`  ${name}`, `${why}.`]))}\n`)
    if (changes.length > 0) stdout.write(`\n${describeChangedServer(server, changes)}\n`)
    stdout.write(`\nAbout ${tokens} tokens in every request of an agent with all of them.\n`)
  }
  return exitCode.fine
}

const schemaText = ({ schema, lost }: InspectedTool): string =>
  lost.length === 0 ? schema : cutToOneLine(`rewritten, without: ${lost.join("; ")}`, 160)
