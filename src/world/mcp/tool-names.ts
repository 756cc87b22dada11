import { hash } from "../../ground/crypto.ts"

/** What a tool is called here, and by its server. */
export interface ToolName {
  /** Fits every provider, and no other tool of these servers has it. */
  readonly name: string
  /** `mcp__SERVER__TOOL` as the server writes it, by which rules and lists may name it, too. */
  readonly original: string
}

/**
 * Names for the tools of a server, in their order. A name that is too long, or that another tool would have, too, ends in a
 * hash of what the server calls it, so that it is the same wherever it is made.
 */
export function toolNames(server: string, tools: readonly string[]): readonly ToolName[] {
  const plain = tools.map((tool) => plainName(server, tool))
  return tools.map((tool, index) => {
    const original = `${prefix}${server}__${tool}`
    const name = plain[index]!
    const isTaken = plain.some((other, at) => at !== index && other === name)
    // One that is written so keeps the name.
    const isOthers = isTaken && name !== original
    return {
      name: isOthers || name.length > longest || !isClear(server) ? hashed(name, server, tool) : name,
      original,
    }
  })
}

const prefix = "mcp__"
/** Of all providers. */
const longest = 64
const lengthOfHash = 8

const plainName = (server: string, tool: string): string => `${prefix}${cleaned(server)}__${cleaned(tool)}`

const cleaned = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, "_")

/** Whether nobody can take a part of the server's name for a part of the tool's, or the other way round. */
const isClear = (server: string): boolean =>
  cleaned(server) === server &&
  !server.includes("__") &&
  !server.endsWith("_") &&
  server.length <= longest / 2

function hashed(name: string, server: string, tool: string): string {
  const mark = hash("sha256", JSON.stringify([server, tool]), "hex").slice(0, lengthOfHash)
  return `${name.slice(0, longest - lengthOfHash - 1)}_${mark}`
}
