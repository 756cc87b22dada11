import { anyText, type CodeKind, isFit } from "../ground/keys.ts"

/** A server of tools that speaks the Model Context Protocol: a program that is started, or an address. */
export type McpServerSettings = McpProgram | McpAddress

export type McpServers = { readonly [name: string]: McpServerSettings }

/** A name whose parts nobody can take for parts of a tool's name. */
export const isMcpServerName = (name: string): boolean =>
  name.length <= 64 && /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_|$))*$/.test(name)

interface McpCommon {
  /** Milliseconds for one call. Left out: what a tool of the run may take. */
  readonly timeout?: number
  /** Milliseconds until it can be asked for its tools. Default: 30,000. */
  readonly startTimeout?: number
  /**
   * `believed`: a tool that the server calls read-only, or says can be repeated, runs again after a crash. Only for a server
   * that you know to tell the truth. Default: `ignored`, and no call is ever repeated.
   */
  readonly annotations?: "believed" | "ignored"
}

/** Texts may have `${NAME}` and `${NAME:-default}` in them, for variables of the environment. */
export interface McpProgram extends McpCommon {
  readonly type?: "stdio"
  /** The program; no shell reads it. It is looked for in PATH, but never in the workspace. */
  readonly command: string
  readonly args?: readonly string[]
  /** Variables that it gets besides the harmless ones. */
  readonly env?: { readonly [name: string]: string }
  /** Left out: what holds for commands. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** In the sandbox. Default: `none`. */
  readonly network?: "none" | "full"
  /** What it has of the workspace in the sandbox. Default: `none`. */
  readonly workspace?: "none" | "read" | "write"
  /** Folders that it may read in the sandbox, which hides what people keep at home. */
  readonly visible?: readonly string[]
  /** Folders outside of the workspace that it may write to in the sandbox. */
  readonly writable?: readonly string[]
}

export interface McpAddress extends McpCommon {
  /** `http`: streamable HTTP (default). `sse`: the older way. */
  readonly type?: "http" | "sse"
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
}

export const isMcpProgram = (settings: McpServerSettings): settings is McpProgram => "command" in settings

/** What is wrong with a server, in words that follow its name. */
export function mcpServerProblem(settings: unknown): string | undefined {
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    return "is no map of settings"
  const given = settings as Readonly<Record<string, unknown>>
  const isProgram = given.command !== undefined
  if (isProgram === (given.url !== undefined))
    return isProgram
      ? "has both `command` and `url`: it is a program or an address"
      : "has neither `command`, for a program, nor `url`, for an address"
  const shapes = { ...common, ...(isProgram ? ofProgram : ofAddress) }
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(shapes, key))
      return `has \`${key}\`, which means nothing here. Known: ${Object.keys(shapes).join(", ")}`
    const { type, words } = shapes[key as keyof typeof shapes]!
    if (!isFit(type, value)) return `has a wrong \`${key}\`: it must be ${words}`
  }
  return isProgram ? undefined : addressProblem(String(given.url))
}

function addressProblem(text: string): string | undefined {
  // A name in braces is filled in later.
  if (text.includes("${")) return undefined
  if (!URL.canParse(text)) return `has a \`url\` that is none: ${JSON.stringify(text.slice(0, 200))}`
  const { protocol, username, password } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:")
    return `has a \`url\` with ${protocol}, and only http: and https: are asked`
  return username !== "" || password !== ""
    ? "has a name or a password in its `url`: put it into `headers`, as the name of a variable"
    : undefined
}

const text: CodeKind = { type: { type: "text" }, words: "text" }
const texts: CodeKind = { type: { type: "list", of: anyText }, words: "a list of texts" }
const named: CodeKind = {
  type: { type: "map", of: anyText },
  words: "a map of names to texts",
}
const time: CodeKind = { type: { type: "number", above: 0 }, words: "a positive number of milliseconds" }
const oneOf = (...of: readonly string[]): CodeKind => ({
  type: { type: "choice", of },
  words: `one of ${of.join(", ")}`,
})

const common = { timeout: time, startTimeout: time, annotations: oneOf("believed", "ignored") }

const ofProgram: { readonly [Key in keyof McpProgram]: CodeKind } = {
  type: oneOf("stdio"),
  command: text,
  args: texts,
  env: named,
  sandbox: oneOf("required", "preferred", "off"),
  network: oneOf("none", "full"),
  workspace: oneOf("none", "read", "write"),
  visible: texts,
  writable: texts,
}

const ofAddress: { readonly [Key in keyof McpAddress]: CodeKind } = {
  type: oneOf("http", "sse"),
  url: text,
  headers: named,
}
