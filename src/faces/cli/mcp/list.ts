import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { inspectServer, type ServerInspection } from "../../../world/mcp/inspect-server.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { printFailureJson } from "../run/failure-json.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { type McpContext, type OpenServers, openServers, type Print, requireServer } from "./open.ts"

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
  if (only !== undefined) await printFailureJson({ print }, context, async () => requireServer(open, only))
  const names = [...open.servers.keys()].filter((name) => only === undefined || name === only)
  const rows = await Promise.all(
    names.map(async (name) => ({
      name,
      from: open.sourceOf(name),
      ...(await inspectServer(open.servers.get(name)!, open.inspection)),
    })),
  )
  const withheld = Object.entries(open.withheld)
    .filter(([name]) => only === undefined && !open.servers.has(name))
    .map(([name, why]): WithheldRow => ({ name, from: open.sourceOf(name), state: "withheld", why }))
  const all = [...rows, ...withheld]
  const diagnostics = open.errors.map((error) => toDiagnosticJson(error, context.directory))
  const json = { servers: all.map(serverJson), ...(diagnostics.length > 0 && { diagnostics }) }
  context.stdout.write(print === "json" ? writeJsonText(json) : text(all, open.errors))
  // An entry with an error has no row: its reason comes after the others.
  open.requireValid()
  return rows.some(({ state }) => state === "failed") ? exitCode.problems : exitCode.fine
}

/** A server that may not start, such as one of an untrusted file. It was not asked. */
interface WithheldRow {
  readonly state: "withheld"
  readonly why: string
  readonly name: string
  readonly from: string
}

type Row = (ServerInspection & { readonly name: string; readonly from: string }) | WithheldRow

function serverJson(row: Row) {
  const { name, from, state } = row
  if (row.state !== "works") return { name, from, state, why: row.why }
  const { version = null, protocol = null, tools, leftOut, tokens, changes } = row
  const counts = { tools: tools.length, leftOut: leftOut.length, tokens }
  return { name, from, state, version, protocol, ...counts, changes }
}

function text(rows: readonly Row[], errors: OpenServers["errors"]): string {
  if (rows.length === 0 && errors.length > 0) return ""
  if (rows.length === 0)
    return "No MCP server is configured. Name one below `mcpServers` in your config.yaml.\n"
  const cells = rows.map((row) =>
    row.state !== "works"
      ? [row.name, row.state === "failed" ? "cannot be asked" : "not started", ...["-", "-", "-"], row.from]
      : [
          row.name,
          row.changes.length > 0 ? "changed" : "works",
          row.version ?? "-",
          toolCount(row),
          `about ${row.tokens}`,
          row.from,
        ],
  )
  const notes = rows.flatMap((row) => {
    if (row.state !== "works")
      return [row.state === "failed" ? `${row.name}: ${row.why}.` : `${row.name} ${row.why}.`]
    return row.changes.length > 0 ? [describeChangedServer(row.name, row.changes)] : []
  })
  const head = ["SERVER", "STATE", "VERSION", "TOOLS", "TOKENS", "FROM"]
  return `${formatTable([head, ...cells])}\n${notes.length === 0 ? "" : `\n${formatTable(notes.flatMap((note) => note.split("\n").map((line) => [line])))}\n`}`
}

/** Tells what changed since the tools were accepted, and how to accept it. */
export const describeChangedServer = (server: string, changes: readonly string[]): string =>
  [
    `${server} has changed since its tools were accepted, so runs that need it do not start:`,
    ...changes.map((line) => `  ${line}`),
    `\`cadre trust --server ${server}\` accepts them.`,
  ].join("\n")

const toolCount = ({ tools, leftOut }: Extract<Row, { state: "works" }>): string =>
  leftOut.length === 0 ? String(tools.length) : `${tools.length}, ${leftOut.length} left out`
