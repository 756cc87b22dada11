import path from "node:path"
import { pathToFileURL } from "node:url"
import { type McpServerSettings, usualSampling } from "../../agent/mcp-server.ts"
import type { Grants } from "./asking-call.ts"
import type { ServerPlace } from "./start-program.ts"

/** The things that the entry of a server lets it ask for in the middle of a call. */
export const listGrants = (
  { roots = "none", sampling = "none" }: Pick<McpServerSettings, "roots" | "sampling">,
  { root }: Pick<ServerPlace, "root">,
): Grants => ({
  ...(roots === "workspace" && {
    "roots/list": () => ({ roots: [{ uri: pathToFileURL(root).href, name: path.basename(root) }] }),
  }),
  ...(sampling !== "none" && { sampling: { ...usualSampling, ...sampling } }),
})
