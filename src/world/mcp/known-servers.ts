import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { McpServerSettings, McpServers } from "../../agent/mcp-server.ts"
import { digestServer, hasServer, readServerChoice } from "../../agent/server-choice.ts"
import type { ToolServer } from "../../agent/tool.ts"
import { findNearestName, listKnownNames } from "../../ground/errors.ts"
import type { SourcedAgent, SourceProblem } from "../../run/ports/tool-source.ts"

/** A server of a project's file that the user trusted. */
export interface ProjectServer {
  readonly settings: McpServerSettings
  /** The folder that relative paths of its entry start at. */
  readonly folder: string
}

/** The servers of the configuration, by name. */
export interface ConfiguredServers {
  /** The user's servers, and those of the program. */
  readonly servers: McpServers
  /** Servers of the project's files. A server of the user with the same name takes precedence. */
  readonly project?: { readonly [name: string]: ProjectServer }
  /** Servers that may not be started, each with the reason and the remedy, as the rest of a sentence. */
  readonly withheld?: { readonly [name: string]: string }
}

/** A server that may be started. */
export interface KnownServer {
  /** Its name, with its digest if a definition brings it. */
  readonly id: string
  readonly tag: ToolServer
  readonly settings: McpServerSettings
  /** `project`: others wrote the entry. */
  readonly owner: "user" | "project"
  /** The folder that relative paths start at. Absent: the folder of the run. */
  readonly folder?: string
  /** A part of the names of its tools, where definitions bring several servers of this name. */
  readonly mark?: string
}

/** The servers that agents may have: those of the configuration, and those that definitions bring. */
export class KnownServers {
  readonly #configured: ReadonlyMap<string, KnownServer>
  readonly #withheld: { readonly [name: string]: string }
  readonly #brought = new Map<string, KnownServer>()
  readonly #bringing = new WeakMap<readonly Agent[], boolean>()

  constructor({ servers, project = {}, withheld = {} }: ConfiguredServers) {
    const own = Object.entries(servers).map(([name, settings]) => configured(name, settings, "user"))
    const others = Object.entries(project).map(([name, { settings, folder }]) => ({
      ...configured(name, settings, "project"),
      folder,
    }))
    this.#configured = new Map([...others, ...own].map((server) => [server.id, server]))
    this.#withheld = withheld
  }

  get all(): readonly KnownServer[] {
    return [...this.#configured.values(), ...this.#brought.values()]
  }

  byId(id: string): KnownServer {
    return (this.#configured.get(id) ?? this.#brought.get(id))!
  }

  configured(name: string): KnownServer | undefined {
    return this.#configured.get(name)
  }

  /** True if there are servers in the configuration, or if one of these agents names or brings one. */
  concerns(agent: Agent, others: readonly Agent[]): boolean {
    if (this.#configured.size > 0 || Object.keys(this.#withheld).length > 0 || isNaming(agent)) return true
    const cached = this.#bringing.get(others) ?? others.some(isNaming)
    this.#bringing.set(others, cached)
    return cached
  }

  /**
   * Takes the servers that these agents bring. Tools of different servers with one name get different names. All agents
   * are looked at together, so that the names do not depend on which of them runs first.
   */
  register(agents: readonly Agent[]): void {
    const servers = agents.flatMap((agent) => this.#broughtBy(agent))
    const ids = new Map<string, Set<string>>()
    for (const { id, tag } of [...this.#brought.values(), ...servers])
      ids.set(tag.name, (ids.get(tag.name) ?? new Set()).add(id))
    for (const server of servers) {
      const earlier = this.#brought.get(server.id)
      if (earlier && (earlier.owner === "project" || server.owner === "user")) continue
      const isAmbiguous = ids.get(server.tag.name)!.size > 1
      const mark = earlier ? earlier.mark : isAmbiguous ? server.tag.entry.slice(0, 8) : undefined
      this.#brought.set(server.id, { ...server, ...(mark !== undefined && { mark }) })
    }
  }

  /** The servers that an agent has. Without an agent: those of the configuration. */
  of(agent?: SourcedAgent): readonly KnownServer[] {
    if (!agent) return [...this.#configured.values()]
    return [...this.#configured.values()]
      .filter(({ tag }) => hasServer(agent, tag))
      .concat(this.#broughtBy(agent))
  }

  /** The server of an agent that a tool name or pattern belongs to, in the notation of any host. */
  find(text: string, agent?: SourcedAgent): KnownServer | undefined {
    const name = serverNamed(text)
    return name === undefined ? undefined : this.of(agent).find(({ tag }) => tag.name === name)
  }

  /** The reason why an agent does not have the server of a tool. Undefined: the text names no server. */
  whyMissing(text: string, agent?: SourcedAgent): string | undefined {
    const name = serverNamed(text)
    if (name === undefined) return undefined
    if (Object.hasOwn(this.#withheld, name) && !this.#configured.has(name))
      return `the MCP server ${JSON.stringify(name)} ${this.#withheld[name]}.`
    if (this.#configured.has(name))
      return `its \`mcpServers\` does not name the MCP server ${JSON.stringify(name)}. Add the name there, or remove the tool.`
    const knownNames = this.of(agent).map(({ tag }) => tag.name)
    // Where there is none at all, the general message says what to do.
    if (knownNames.length === 0) return undefined
    return `there is no MCP server ${JSON.stringify(name)}. ${listKnownNames(name, knownNames)}`
  }

  problemsOf(agent: SourcedAgent): readonly SourceProblem[] {
    const { names = [], brought, unreadable } = readServerChoice(agent)
    return [
      ...unreadable.map(({ index, value }) =>
        invalid(
          index,
          `${JSON.stringify(value)} in its \`mcpServers\` is neither a name nor \`{name: entry}\`.`,
        ),
      ),
      ...names.flatMap(({ name, index }) => this.#problemOfName(name, index)),
      ...brought.flatMap(({ name, index, entry, digest }) => {
        if (entry.type === "invalid")
          return [invalid(index, `the MCP server ${JSON.stringify(name)} ${entry.problem}.`, entry.code)]
        const own = this.#configured.get(name)
        return entry.type === "disabled" || !own || own.tag.entry === digest
          ? []
          : [invalid(index, shadowText(name), "mcp-server-shadowed")]
      }),
    ]
  }

  #problemOfName(name: string, index: number): readonly SourceProblem[] {
    if (this.#configured.has(name)) return []
    const code = "MCP_SERVER_UNKNOWN"
    if (Object.hasOwn(this.#withheld, name)) {
      const message = `the MCP server ${JSON.stringify(name)} ${this.#withheld[name]}.`
      return [{ index, message, code, kind: "here", rule: "mcp-server-unknown" }]
    }
    const knownNames = [...this.#configured.keys()]
    const right = findNearestName(name.toLowerCase(), knownNames)
    const message = `there is no MCP server ${JSON.stringify(name)}, which its \`mcpServers\` names. ${listKnownNames(name, knownNames)}${
      right === undefined
        ? " Add the server to your own configuration (`mcpServers`), or remove the name."
        : ""
    }`
    return [
      {
        index,
        message,
        code,
        kind: "written",
        rule: "mcp-server-unknown",
        ...(right !== undefined && { meant: { wrong: name, right } }),
      },
    ]
  }

  #broughtBy(agent: SourcedAgent): readonly KnownServer[] {
    const isProjects = agent.origin?.scope === "project" || agent.origin?.scope === "package"
    return readServerChoice(agent).brought.flatMap(({ name, entry, digest }): readonly KnownServer[] => {
      if (entry.type !== "server" || digest === undefined || this.#configured.has(name)) return []
      const id = `${name}#${digest}`
      return [
        {
          id,
          tag: { name, entry: digest, brought: true },
          settings: entry.settings,
          owner: isProjects ? "project" : "user",
          ...this.#brought.get(id),
        },
      ]
    })
  }
}

const configured = (name: string, settings: McpServerSettings, owner: KnownServer["owner"]): KnownServer => ({
  id: name,
  tag: { name, entry: digestServer(name, settings) },
  settings,
  owner,
})

const isNaming = ({ mcpServers }: Agent): boolean => (mcpServers?.length ?? 0) > 0

/** The server that a text names as one of its tools. */
function serverNamed(text: string): string | undefined {
  const reference = lookUpTool(splitToolName(text).name)
  return reference.type === "mcp" ? reference.server : undefined
}

const invalid = (index: number, message: string, rule = "mcp-server-invalid"): SourceProblem => ({
  index,
  message,
  code: "MCP_SERVER_INVALID",
  kind: "written",
  rule,
})

const shadowText = (name: string): string =>
  `it brings an MCP server ${JSON.stringify(name)}, and the configuration has another server of that name. Give its own server another name, or write \`mcpServers: [${name}]\` to use the configured one.`
