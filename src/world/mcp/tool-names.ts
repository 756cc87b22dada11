import { hash } from "../../ground/crypto.ts"

/** The names of a server's tool. */
export interface ServerToolName {
  /** The name here: valid for every provider, and unique among the tools of these servers. */
  readonly name: string
  /** `mcp__SERVER__TOOL` with the server's own spelling. Rules and lists may use it, too. */
  readonly original: string
}

/**
 * Names the tools of a server, in their order. With `mark`, every name ends in a hash. Otherwise a name that is too long or ambiguous gets a hash of the server's own
 * name. The hash makes the name the same on every machine.
 */
export function nameServerTools(
  server: string,
  tools: readonly string[],
  mark?: string,
): readonly ServerToolName[] {
  const plainNames = tools.map((tool) => plainName(server, tool))
  return tools.map((tool, index) => {
    const original = `${prefix}${server}__${tool}`
    const name = plainNames[index]!
    const isTaken = plainNames.some((other, at) => at !== index && other === name)
    // A tool whose own name is the plain name keeps it.
    const isOfAnotherTool = isTaken && name !== original
    if (mark !== undefined) return { name: withMark(name, hashOf(mark, tool)), original }
    return {
      name: isOfAnotherTool || name.length > longest || !isClear(server) ? addHash(name, server, tool) : name,
      original,
    }
  })
}

const prefix = "mcp__"
/** The longest name that every provider accepts. */
const longest = 64
const lengthOfHash = 8

const plainName = (server: string, tool: string): string =>
  `${prefix}${cleanName(server)}__${cleanName(tool)}`

const cleanName = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, "_")

/** True if the border between the server's and the tool's name is unambiguous. */
const isClear = (server: string): boolean =>
  cleanName(server) === server &&
  !server.includes("__") &&
  !server.endsWith("_") &&
  server.length <= longest / 2

const addHash = (name: string, server: string, tool: string): string => withMark(name, hashOf(server, tool))

const hashOf = (server: string, tool: string): string =>
  hash("sha256", JSON.stringify([server, tool]), "hex").slice(0, lengthOfHash)

const withMark = (name: string, mark: string): string =>
  `${name.slice(0, longest - lengthOfHash - 1)}_${mark}`
