import { isMcpProgram, type McpServerSettings } from "../../agent/mcp-server.ts"
import { findServerScripts } from "../../definitions/servers/scripts.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { KnownServer } from "./known-servers.ts"

/** An entry whose tools the user accepts. */
export interface PinnedEntry {
  readonly settings: McpServerSettings
  /** The folder that relative paths start at. Set if the same words could start another program in another folder. */
  readonly folder?: string
}

/** The folders that decide whether an entry means the same program everywhere. */
export interface PinPlaces {
  readonly root?: string
  readonly trusted?: { readonly root: string }
}

/** Returns the entry of a server for its pin. Two projects may both write `node server.mjs` and mean different programs. */
export function makePinnedEntry(
  { settings, owner, folder }: Pick<KnownServer, "settings" | "owner" | "folder">,
  { root, trusted }: PinPlaces,
): PinnedEntry {
  const start = folder ?? trusted?.root ?? root
  if (start === undefined || !isMcpProgram(settings)) return { settings }
  const isTied = owner === "project" || findServerScripts(settings, { folder: start, root: start }).length > 0
  return isTied ? { settings, folder: start } : { settings }
}

/**
 * The identity of an entry: its program with every argument, or its address. Settings such as a timeout do not change
 * the server, so they do not count. Variables are not filled in, so no secret is written.
 */
export const identifyEntry = ({ settings, folder }: PinnedEntry): JsonMap =>
  isMcpProgram(settings)
    ? { command: settings.command, args: [...(settings.args ?? [])], ...(folder !== undefined && { folder }) }
    : { url: settings.url, type: settings.type ?? "http" }
