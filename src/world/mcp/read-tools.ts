import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { McpBounds } from "./bounds.ts"
import type { Connection } from "./connection.ts"
import { ServerFailure } from "./failure.ts"
import { plainText } from "./plain-text.ts"

/** A tool as its server tells of it, as far as it can be used. */
export interface ListedTool {
  /** The server's own name for it. */
  readonly name: string
  readonly description: string
  readonly input: JsonMap
  /** What the server claims of its effect. */
  readonly claims: { readonly readOnly?: true; readonly repeatable?: true }
}

export interface ToolList {
  readonly tools: readonly ListedTool[]
  /** What could not be used, with the reason in words that follow the name. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

/** Asks a server for its tools, page by page. Whatever is wrong with one of them costs that one. */
export async function listTools(connection: Pick<Connection, "list">, bounds: McpBounds): Promise<ToolList> {
  const given: Json[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  const until = Date.now() + bounds.list
  for (let page = 0; page < bounds.pages && given.length <= bounds.tools; page++) {
    const { tools, nextCursor } = await connection.list("tools/list", cursor)
    given.push(...(Array.isArray(tools) ? tools : []))
    if (typeof nextCursor !== "string" || nextCursor === "" || seen.has(nextCursor)) break
    // Each page in time, and all of them never: nobody waits for that.
    if (Date.now() > until)
      throw new ServerFailure("deadline", `it did not list all of its tools within ${bounds.list} ms`)
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return readTools(given, bounds)
}

function readTools(given: readonly Json[], bounds: McpBounds): ToolList {
  const tools: ListedTool[] = []
  const leftOut: { name: string; why: string }[] = []
  const names = new Set<string>()
  for (const [index, one] of given.entries()) {
    const name = isMap(one) && typeof one.name === "string" ? one.name : undefined
    const shown = plainText(name ?? `(number ${index + 1})`, 100)
    const read = name === undefined ? { why: "has no name" } : readTool(one as JsonMap, name, bounds)
    if ("why" in read) leftOut.push({ name: shown, why: read.why })
    else if (names.has(read.name))
      leftOut.push({ name: shown, why: "is in the list twice: the first counts" })
    else if (tools.length >= bounds.tools) {
      leftOut.push({
        name: shown,
        why: `is one of more than ${bounds.tools} tools, which are the most that a server may have`,
      })
      // One line for all that follow.
      break
    } else {
      names.add(read.name)
      tools.push(read)
    }
  }
  return { tools, leftOut }
}

function readTool(given: JsonMap, name: string, bounds: McpBounds): ListedTool | { readonly why: string } {
  const { description, inputSchema, annotations } = given
  if (name.trim() === "" || name.length > longestName)
    return { why: `has a name of ${name.length} characters, and it must have 1 to ${longestName}` }
  if (!isMap(inputSchema)) return { why: "says nothing of its arguments: it has no `inputSchema`" }
  const size = sizeOf(inputSchema)
  if (size === undefined || size > bounds.schema)
    return {
      why: `has a schema of ${size ?? "too many"} bytes, and ${bounds.schema} are the most it may have`,
    }
  const claims = isMap(annotations) ? annotations : {}
  return {
    name,
    description: plainText(typeof description === "string" ? description : "", bounds.description),
    input: inputSchema,
    claims: {
      ...(claims.readOnlyHint === true && { readOnly: true }),
      ...(claims.idempotentHint === true && { repeatable: true }),
    },
  }
}

const longestName = 256

/** Undefined: it is nested so deeply that nobody can write it. */
function sizeOf(schema: JsonMap): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(schema))
  } catch {
    return undefined
  }
}
