import { findNearestName } from "../ground/errors.ts"
import { anyText, type CodeKind, fitsType } from "../ground/keys.ts"
import type { SamplingBounds } from "./sampling.ts"

/** A server of tools that speaks the Model Context Protocol: a program to start, or an address. */
export type McpServerSettings = McpProgram | McpAddress

/** MCP servers by name. Their tools are called `mcp__NAME__TOOL`. */
export type McpServers = { readonly [name: string]: McpServerSettings }

/** A name without parts that could be read as parts of a tool's name. */
export const isMcpServerName = (name: string): boolean =>
  name.length <= 64 && /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_|$))*$/.test(name)

/** The bounds for a server's requests for a model where its entry has `sampling: {}`. */
export const usualSampling: SamplingBounds = { requests: 10, tokens: 20_000 }

interface McpCommon {
  /** Milliseconds for one call. Absent: the run's limit for tools. */
  readonly timeout?: number
  /** Milliseconds until the server must answer with its tools. Default: 30,000. */
  readonly startTimeout?: number
  /**
   * `believed`: a tool that the server calls read-only or repeatable runs again after a crash. Only for a
   * server whose statements you trust. Default: `ignored`, and no call is ever repeated.
   */
  readonly annotations?: "believed" | "ignored"
  /** `workspace`: the server may ask where the workspace is. Default: `none`. */
  readonly roots?: "none" | "workspace"
  /**
   * The server may ask for replies of the run's model, this often in one run and with this many tokens. Default:
   * `none`.
   */
  readonly sampling?: "none" | Partial<SamplingBounds>
  /** The server's names for the tools that may be used. Default, also for `["*"]`: all of them. */
  readonly tools?: readonly string[]
}

/** Texts may contain `${NAME}` and `${NAME:-default}`, for environment variables. */
export interface McpProgram extends McpCommon {
  /** The way to reach the server: its standard input and output. May be left out. */
  readonly type?: "stdio"
  /** The program, without a shell. It is looked for in PATH, but never in the workspace. */
  readonly command: string
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[]
  /** Environment variables that it gets besides the harmless ones. */
  readonly env?: { readonly [name: string]: string }
  /** Absent: the setting for commands. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** The network in the sandbox. Default: `none`. */
  readonly network?: "none" | "full"
  /** The access to the workspace in the sandbox. Default: `none`. */
  readonly workspace?: "none" | "read" | "write"
  /** Folders that it may read in the sandbox, which hides the rest of the home folder. */
  readonly visible?: readonly string[]
  /** Folders outside of the workspace that it may write to in the sandbox. */
  readonly writable?: readonly string[]
}

/** A remote MCP server. Texts may contain `${NAME}` and `${NAME:-default}`, for environment variables. */
export interface McpAddress extends McpCommon {
  /** `http`: streamable HTTP (default). `sse`: the older protocol. */
  readonly type?: "http" | "sse"
  /** The address of the server, such as `https://mcp.example.com/mcp`. */
  readonly url: string
  /** Headers of every request, such as `Authorization`. Default: none. */
  readonly headers?: { readonly [name: string]: string }
}

export const isMcpProgram = (settings: McpServerSettings): settings is McpProgram => "command" in settings

/** True if the entry lets runs use a tool, by the server's name for it. */
export const offersTool = ({ tools }: Pick<McpCommon, "tools">, name: string): boolean =>
  !tools || tools.includes("*") || tools.includes(name)

/** The reason why a run cannot use a tool that the entry leaves out, in words that follow its name. */
export const notOffered = "is not among the `tools` of the server's entry"

/** The problem with a server's settings, in words that follow its name. */
export function findMcpServerProblem(settings: unknown): string | undefined {
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    return "is not a map of settings"
  const values = settings as Readonly<Record<string, unknown>>
  const isProgram = values.command !== undefined
  if (isProgram === (values.url !== undefined))
    return isProgram
      ? "has both `command` and `url`: use one of them, for a program or for an address"
      : "has neither `command`, for a program, nor `url`, for an address"
  const kinds = isProgram ? programKinds : addressKinds
  for (const key of Object.keys(values)) {
    const value = values[key]
    if (value === undefined) continue
    const kind = kinds.get(key)
    if (!kind) return `has an unknown key \`${key}\`. ${meantKey(key, [...kinds.keys()])}`
    const { type, words } = kind
    if (!fitsType(type, value) || (key === "sampling" && hasUnknownBound(value)))
      return `has an invalid \`${key}\`: it must be ${words}`
  }
  return isProgram ? undefined : addressProblem(String(values.url))
}

const hasUnknownBound = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).some((key) => !Object.hasOwn(usualSampling, key))

/** The key that was most likely meant, and the known ones. */
function meantKey(key: string, knownKeys: readonly string[]): string {
  const ours = new Map([
    ...Object.entries(otherKeys).filter(([, name]) => knownKeys.includes(name)),
    ...knownKeys.map((name) => [name.toLowerCase(), name] as const),
  ])
  const nearest = findNearestName(key.toLowerCase().replace(/[_-]/g, ""), [...ours.keys()])
  const hint = nearest === undefined ? "" : `Did you mean "${ours.get(nearest)}"? `
  return `${hint}Known: ${[...knownKeys].sort().join(", ")}`
}

/** The words that other programs have for these keys. */
const otherKeys: Readonly<Record<string, string>> = {
  arguments: "args",
  cmd: "command",
  program: "command",
  environment: "env",
  httpurl: "url",
  serverurl: "url",
  endpoint: "url",
  uri: "url",
  includetools: "tools",
  allowedtools: "tools",
  transport: "type",
}

function addressProblem(text: string): string | undefined {
  // A variable in braces is filled in later.
  if (text.includes("${")) return undefined
  if (!URL.canParse(text))
    // The rest of the address may hold a secret.
    return `has an invalid \`url\`: ${JSON.stringify(text.replace(/[?#@].*$/s, "…").slice(0, 200))}`
  const { protocol, username, password } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:")
    return `has a \`url\` with ${protocol}, but only http: and https: are supported`
  return username !== "" || password !== ""
    ? "has a user name or a password in its `url`: put it into `headers`, as the name of a variable"
    : undefined
}

const text: CodeKind = { type: { type: "text" }, words: "text" }
const texts: CodeKind = { type: { type: "list", of: anyText }, words: "a list of texts" }
const textMap: CodeKind = {
  type: { type: "map", of: anyText },
  words: "a map of names to texts",
}
const time: CodeKind = { type: { type: "number", above: 0 }, words: "a positive number of milliseconds" }
const oneOf = (...of: readonly string[]): CodeKind => ({
  type: { type: "choice", of },
  words: `one of ${of.join(", ")}`,
})

const common: { readonly [Key in keyof McpCommon]-?: CodeKind } = {
  timeout: time,
  startTimeout: time,
  annotations: oneOf("believed", "ignored"),
  tools: texts,
  roots: oneOf("none", "workspace"),
  sampling: {
    type: {
      type: "either",
      of: [
        { type: "choice", of: ["none"] },
        { type: "map", of: { type: "number", minimum: 1, whole: "whole" } },
      ],
    },
    words: "none, or a map with requests and tokens, whole numbers of 1 or more",
  },
}

const ofProgram: { readonly [Key in keyof McpProgram]-?: CodeKind } = {
  ...common,
  type: oneOf("stdio"),
  command: text,
  args: texts,
  env: textMap,
  sandbox: oneOf("required", "preferred", "off"),
  network: oneOf("none", "full"),
  workspace: oneOf("none", "read", "write"),
  visible: texts,
  writable: texts,
}

const ofAddress: { readonly [Key in keyof McpAddress]-?: CodeKind } = {
  ...common,
  type: oneOf("http", "sse"),
  url: text,
  headers: textMap,
}

// Maps, because a folder of definitions can bring thousands of entries.
const programKinds: ReadonlyMap<string, CodeKind> = new Map(Object.entries(ofProgram))
const addressKinds: ReadonlyMap<string, CodeKind> = new Map(Object.entries(ofAddress))
