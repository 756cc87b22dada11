import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type ArgumentHeader, findArgumentHeaders } from "./argument-headers.ts"
import type { McpBounds } from "./bounds.ts"
import type { McpConnection } from "./connection.ts"
import { ServerFailure } from "./failure.ts"
import { cleanText } from "./plain-text.ts"
import type { ReadingMethod } from "./reading-methods.ts"
import { hashTool } from "./tool-hash.ts"

/** A usable tool, as its server lists it. */
export interface ServerListedTool {
  /** The server's name for the tool. */
  readonly name: string
  readonly description: string
  readonly input: JsonMap
  /** The server's claims about the tool's effect. */
  readonly claims: { readonly readOnly?: true; readonly repeatable?: true }
  /** The hash of all of these. */
  readonly hash: string
  /** The method that the tool stands for. Absent: it is a tool of the server. */
  readonly method?: ReadingMethod
  /** The arguments that the server expects as headers, too. */
  readonly headers?: readonly ArgumentHeader[]
}

export interface ServerToolList {
  readonly tools: readonly ServerListedTool[]
  /** Tools that cannot be used. The reason is a phrase that follows the name. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

/** Reads a server's tools, page by page. A tool with a problem is left out; the others stay. */
export async function listTools(
  connection: Pick<McpConnection, "list"> & Partial<Pick<McpConnection, "takesArgumentHeaders">>,
  bounds: McpBounds,
): Promise<ServerToolList> {
  const entries: Json[] = []
  const seenCursors = new Set<string>()
  let cursor: string | undefined
  const until = Date.now() + bounds.list
  for (let page = 0; page < bounds.pages && entries.length <= bounds.tools; page++) {
    const { tools, nextCursor } = await connection.list("tools/list", cursor)
    entries.push(...(Array.isArray(tools) ? tools : []))
    if (typeof nextCursor !== "string" || nextCursor === "" || seenCursors.has(nextCursor)) break
    // A server could send pages for ever, each of them in time.
    if (Date.now() > until)
      throw new ServerFailure("deadline", `it did not list all its tools within ${bounds.list} ms`)
    seenCursors.add(nextCursor)
    cursor = nextCursor
  }
  const list = readTools(entries, bounds)
  return connection.takesArgumentHeaders ? withHeaders(list) : list
}

function withHeaders({ tools, leftOut }: ServerToolList): ServerToolList {
  const toolsWithHeaders = tools.map((tool) => ({ tool, ...findArgumentHeaders(tool.input) }))
  return {
    tools: toolsWithHeaders.flatMap((one) =>
      "why" in one ? [] : [{ ...one.tool, ...(one.headers.length > 0 && { headers: one.headers }) }],
    ),
    leftOut: [
      ...leftOut,
      ...toolsWithHeaders.flatMap((one) =>
        "why" in one ? [{ name: cleanText(one.tool.name, 100), why: one.why }] : [],
      ),
    ],
  }
}

function readTools(entries: readonly Json[], bounds: McpBounds): ServerToolList {
  const tools: ServerListedTool[] = []
  const leftOut: { name: string; why: string }[] = []
  const names = new Set<string>()
  for (const [index, one] of entries.entries()) {
    const name = isMap(one) && typeof one.name === "string" ? one.name : undefined
    const label = cleanText(name ?? `(number ${index + 1})`, 100)
    const result = name === undefined ? { why: "has no name" } : readTool(one as JsonMap, name, bounds)
    if ("why" in result) leftOut.push({ name: label, why: result.why })
    else if (names.has(result.name))
      leftOut.push({ name: label, why: "is in the list twice; the first one is used" })
    else if (tools.length >= bounds.tools) {
      leftOut.push({
        name: label,
        why: `and all tools after it are skipped: a server may have at most ${bounds.tools} tools`,
      })
      // This one entry stands for all tools that follow.
      break
    } else {
      names.add(result.name)
      tools.push(result)
    }
  }
  return { tools, leftOut }
}

function readTool(
  entry: JsonMap,
  name: string,
  bounds: McpBounds,
): ServerListedTool | { readonly why: string } {
  const { description, inputSchema, annotations } = entry
  if (name.trim() === "" || name.length > longestName)
    return { why: `has a name of ${name.length} characters; 1 to ${longestName} are allowed` }
  if (!isMap(inputSchema)) return { why: "has no `inputSchema`, so its arguments are unknown" }
  const size = sizeOf(inputSchema)
  if (size === undefined || size > bounds.schema)
    return {
      why: `has a schema of ${size ?? "too many"} bytes; the limit is ${bounds.schema}`,
    }
  const claims = isMap(annotations) ? annotations : {}
  const tool = {
    name,
    description: cleanText(typeof description === "string" ? description : "", bounds.description),
    input: inputSchema,
    claims: {
      ...(claims.readOnlyHint === true && { readOnly: true as const }),
      ...(claims.idempotentHint === true && { repeatable: true as const }),
    },
  }
  try {
    return { ...tool, hash: hashTool(tool) }
  } catch {
    return { why: "has a schema that is nested too deeply" }
  }
}

const longestName = 256

/** The schema's size in bytes. Undefined: the schema is nested too deeply to be written as JSON. */
function sizeOf(schema: JsonMap): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(schema))
  } catch {
    return undefined
  }
}
