import { inspectServer, type ServerInspection } from "../../../world/mcp/inspect-server.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { jsonText } from "../terminal/json-text.ts"
import { table } from "../terminal/table.ts"
import { type McpContext, openServers, type Print, requireServer } from "./open.ts"

interface Listing {
  readonly only: string | undefined
  readonly print: Print
  readonly trust: "kept" | "all"
}

/** Asks all servers at once, and closes them again. Fails where one cannot be asked. */
export async function printServerList(
  { only, print, trust }: Listing,
  context: McpContext,
): Promise<ExitCode> {
  const open = openServers(trust, context)
  if (only !== undefined) requireServer(open, only)
  const names = [...open.servers.keys()].filter((name) => only === undefined || name === only)
  const rows = await Promise.all(
    names.map(async (name) => ({
      name,
      from: open.sourceOf(name),
      ...(await inspectServer(name, open.servers.get(name)!, open.place)),
    })),
  )
  context.stdout.write(print === "json" ? jsonText({ servers: rows.map(serverJson) }) : text(rows))
  return rows.some(({ state }) => state === "failed") ? exitCode.problems : exitCode.fine
}

type Row = ServerInspection & { readonly name: string; readonly from: string }

function serverJson(row: Row) {
  const { name, from, state } = row
  if (row.state === "failed") return { name, from, state, why: row.why }
  const { version = null, protocol = null, tools, leftOut, tokens } = row
  return { name, from, state, version, protocol, tools: tools.length, leftOut: leftOut.length, tokens }
}

function text(rows: readonly Row[]): string {
  if (rows.length === 0)
    return "No MCP server is configured, or the files that name them are not trusted. `cadre doctor` shows each. Name one below `mcpServers` in your config.yaml.\n"
  const cells = rows.map((row) =>
    row.state === "failed"
      ? [row.name, "cannot be asked", "-", "-", "-", row.from]
      : [row.name, "works", row.version ?? "-", toolCount(row), `about ${row.tokens}`, row.from],
  )
  const failures = rows.flatMap((row) => (row.state === "failed" ? [`${row.name}: ${row.why}.`] : []))
  const head = ["SERVER", "STATE", "VERSION", "TOOLS", "TOKENS", "FROM"]
  return `${table([head, ...cells])}\n${failures.length === 0 ? "" : `\n${table(failures.map((line) => [line]))}\n`}`
}

const toolCount = ({ tools, leftOut }: Extract<Row, { state: "works" }>): string =>
  leftOut.length === 0 ? String(tools.length) : `${tools.length}, ${leftOut.length} left out`
