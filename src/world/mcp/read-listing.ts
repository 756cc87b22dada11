import type { McpBounds } from "./bounds.ts"
import type { McpConnection } from "./connection.ts"
import { cleanText } from "./plain-text.ts"
import { listTools, type ServerToolList } from "./read-tools.ts"
import { createReadingTools } from "./reading-tools.ts"

/** The tools and the instructions of a server. */
export interface ServerListing {
  readonly list: ServerToolList
  readonly instructions: string
}

/** Reads the tools and the instructions of a server. */
export async function readListing(connection: McpConnection, bounds: McpBounds): Promise<ServerListing> {
  const { offers } = connection
  const hasOnlyOther = !offers.tools && (offers.resources || offers.prompts)
  const { tools, leftOut } = hasOnlyOther ? noTools : await listTools(connection, bounds)
  const names = new Set(tools.map(({ name }) => name))
  return {
    list: { tools: [...tools, ...createReadingTools(offers, names)], leftOut },
    instructions: cleanText(connection.instructions ?? "", bounds.description).trim(),
  }
}

const noTools: ServerToolList = { tools: [], leftOut: [] }
