import path from "node:path"
import { isTrusted, type TrustPolicy } from "../../definitions/authority/trusted-agents.ts"
import { listServers, type ServerEntry, splitServers } from "../../definitions/authority/trusted-servers.ts"
import type { WorkspaceTrust } from "../../definitions/authority/workspace-trust.ts"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import type { Workspace } from "../../definitions/registry/workspace.ts"
import { KnownServers } from "../../world/mcp/known-servers.ts"
import { makePinnedEntry, type PinnedEntry } from "../../world/mcp/pinned-entry.ts"
import type { ProjectServers, RuntimeOptions } from "../create-runtime.ts"
import { findOwnPlaces } from "./own-places.ts"
import type { ProjectPlace } from "./place.ts"

interface ServerParts {
  readonly place: ProjectPlace
  readonly workspace: Workspace
  readonly standing: WorkspaceTrust
  /** The configuration that takes effect. */
  readonly configuration: Configuration
  readonly trusting: TrustPolicy
  /** The folder that tools may write to. */
  readonly root: string
  readonly sandbox: Configuration["sandbox"]
}

/** The servers of a project, with the reasons why some of them are not started. */
export const listProjectServers = ({
  workspace,
  standing,
  configuration,
  trusting,
}: Pick<ServerParts, "workspace" | "standing" | "configuration" | "trusting">): readonly ServerEntry[] =>
  listServers({
    serverFiles: workspace.serverFiles,
    configuration,
    written: workspace.configuration,
    root: standing.root,
    trusting,
  })

/** A server whose tools the user may accept. */
export interface NamedServer {
  readonly name: string
  readonly entry: PinnedEntry
}

/** The servers that may start, and those that definitions bring. Two definitions may bring servers of one name. */
export function listNamedServers({
  projectServers,
}: Pick<RuntimeOptions, "projectServers">): readonly NamedServer[] {
  const { bringing, ...options } = projectServers!
  const knownServers = new KnownServers(options)
  knownServers.register(bringing)
  return knownServers.all.map((server) => ({
    name: server.tag.name,
    entry: makePinnedEntry(server, options),
  }))
}

/** The servers that runs in a project may start, with the bounds of its commands. */
export function makeProjectServers(parts: ServerParts): ProjectServers {
  const { place, workspace, standing, trusting, root, sandbox } = parts
  return {
    ...splitServers(listProjectServers(parts)),
    ...findOwnPlaces(place, standing, root),
    environment: place.environment,
    home: place.home,
    sandbox,
    trusted: {
      root: standing.root,
      isTrusted: (below, hash) => isTrusted(trusting, path.join(standing.root, below), hash),
    },
    bringing: workspace.registry.all(),
  }
}
