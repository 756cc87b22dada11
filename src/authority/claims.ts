import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import type { Agent, ModelBinding } from "../agent.ts"
import type { Workspace } from "../registry/workspace.ts"
import type { TrustItem } from "./trust.ts"

/** A file of a workspace, with what it would be able to do once it is trusted. */
export interface Claim extends TrustItem {
  /** The agent it defines; absent for a configuration. */
  readonly agent?: string
  readonly gains: readonly string[]
}

/** Everything in a workspace that somebody else may have written and that would gain rights. */
export function claimsOf({ registry, configuration, skills }: Workspace, root: string): readonly Claim[] {
  const definitions = registry
    .entries()
    .flatMap(({ candidate: { agent, scope, file } }): readonly Claim[] => {
      const hash = agent.origin.hash
      if ((scope !== "project" && scope !== "package") || !file || hash === undefined) return []
      return [{ file: file.path, hash, agent: agent.name, gains: gainsOf(agent) }]
    })
  const isInside = (file: string) => file.startsWith(root + path.sep)
  const settings = configuration.files.filter(isInside).flatMap((file) => claimOf(file, "its settings count"))
  const texts = [...skills.values()]
    .filter(({ scope }) => scope === "project")
    .flatMap(({ name, file }) => claimOf(file, `agents may load it as the skill ${name}`))
  return [...settings, ...definitions, ...texts].sort((one, other) => (one.file < other.file ? -1 : 1))
}

/** Nothing where it cannot be read: then nobody follows it either. */
function claimOf(file: string, gain: string): readonly Claim[] {
  try {
    const hash = createHash("sha256").update(fs.readFileSync(file)).digest("hex")
    return [{ file, hash, gains: [gain] }]
  } catch {
    return []
  }
}

function gainsOf({
  tools,
  model,
  toolDefinitions = [],
  mcpServers = [],
  hooks,
  workflow,
}: Agent): readonly string[] {
  const hosts = bindings(model).flatMap(({ endpoint }) => (endpoint === undefined ? [] : [hostOf(endpoint)]))
  return [
    tools.mode === "inherit"
      ? `every tool there is${tools.deny.length > 0 ? ` but ${tools.deny.join(", ")}` : ""}`
      : tools.allow.length > 0
        ? `tools: ${tools.allow.join(", ")}`
        : "no tools",
    ...hosts.map((host) => `asks a model at ${host}`),
    ...toolDefinitions.map(({ script }) => `runs the script ${script}`),
    ...(mcpServers.length > 0 ? [`starts ${mcpServers.length} MCP servers`] : []),
    ...(hooks === undefined ? [] : ["hooks"]),
    ...(workflow === undefined ? [] : ["a workflow"]),
  ]
}

function bindings(model: Agent["model"]): readonly ModelBinding[] {
  const listed = Array.isArray(model) ? model : [model]
  return listed.filter((one): one is ModelBinding => typeof one === "object" && one !== null)
}

const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).host : endpoint)
