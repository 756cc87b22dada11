import { isMap, type Json, type JsonMap } from "../ground/message.ts"
import { findMcpServerProblem, isMcpServerName, type McpServerSettings } from "./mcp-server.ts"
import { findLiteralSecret, findStrangeVariable, listEntryTexts } from "./mcp-text.ts"

/**
 * The author of an entry. `user`: the user's own configuration. `definition`: an agent of the user's, which is kept with
 * its runs. `project`: a file that others wrote.
 */
export type McpEntryOwner = "user" | "definition" | "project"

/** An entry of a file, or the problem that keeps it from being used, in words that follow its name. */
export type McpEntry =
  | { readonly type: "server"; readonly settings: McpServerSettings }
  /** The file itself switches the server off. */
  | { readonly type: "disabled" }
  | { readonly type: "invalid"; readonly problem: string; readonly code: McpEntryCode; readonly key?: string }

/** The code of the finding: a literal secret has one of its own. */
export type McpEntryCode = "mcp-server-invalid" | "mcp-server-secret"

/** Reads an entry as any host writes it. A key that would widen what a project may do makes it invalid. */
export function readMcpEntry(name: string, value: Json, owner: McpEntryOwner): McpEntry {
  if (!isMcpServerName(name)) return invalid(badNameProblem)
  if (!isMap(value)) return invalid(findMcpServerProblem(value)!)
  const { disabled, enabled } = value
  if (disabled === true || enabled === false) return { type: "disabled" }
  if ((disabled ?? false) !== false || (enabled ?? true) !== true)
    return invalid("has an invalid `disabled`: it must be true or false", "disabled")
  const settings = inOurWords(value)
  const problem = findMcpServerProblem(settings)
  if (problem !== undefined) return invalid(problem)
  const valid = settings as unknown as McpServerSettings
  const texts = listEntryTexts(valid)
  const strange = findStrangeVariable(texts)
  if (strange) return invalid(strange.problem, strange.key)
  if (owner === "user") return { type: "server", settings: valid }
  const secret = findLiteralSecret(texts)
  if (secret) return { ...invalid(secret.problem, secret.key), code: "mcp-server-secret" }
  const wide = owner === "project" ? wideningProblem(valid) : undefined
  return wide ? invalid(wide.problem, wide.key) : { type: "server", settings: valid }
}

export const badNameProblem =
  "has an invalid name: use 1 to 64 letters, digits, `.`, `-` and single `_`, beginning with a letter or digit"

const invalid = (problem: string, key?: string): Extract<McpEntry, { type: "invalid" }> => ({
  type: "invalid",
  problem,
  code: "mcp-server-invalid",
  ...(key !== undefined && { key }),
})

/** Keys that say nothing about how to start a server: its switch, what informs people, and what rules decide here. */
const withoutMeaning: ReadonlySet<string> = new Set([
  ...["disabled", "enabled"],
  ...["description", "title", "icon", "name", "version"],
  ...["alwaysAllow", "autoApprove", "trust"],
])

const types: Readonly<Record<string, string>> = {
  local: "stdio",
  remote: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
}

function inOurWords(entry: JsonMap): JsonMap {
  if (hasOurWords(entry)) return entry
  const { type, tools, ...rest } = Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => !withoutMeaning.has(key) && value !== null),
  ) as JsonMap
  const isEvery = Array.isArray(tools) && tools.includes("*")
  return {
    ...rest,
    ...(type !== undefined && {
      type: typeof type === "string" && Object.hasOwn(types, type) ? types[type]! : type,
    }),
    ...(tools !== undefined && !isEvery && { tools }),
  }
}

/** True if an entry keeps all its keys and values as they are. */
function hasOurWords(entry: JsonMap): boolean {
  for (const key of Object.keys(entry))
    if (key === "type" || key === "tools" || entry[key] === null || withoutMeaning.has(key)) return false
  return true
}

/** Only the user can run a server without the sandbox, or believe it. */
function wideningProblem(
  settings: McpServerSettings,
): { readonly problem: string; readonly key: string } | undefined {
  if ("sandbox" in settings && settings.sandbox !== undefined && settings.sandbox !== "required")
    return {
      key: "sandbox",
      problem: `has \`sandbox: ${settings.sandbox}\`, which only your own configuration may say. Remove it, or define the server there`,
    }
  if (settings.roots === "workspace")
    return {
      key: "roots",
      problem:
        "has `roots: workspace`, which only your own configuration may say. Remove it, or define the server there",
    }
  if ((settings.sampling ?? "none") !== "none")
    return {
      key: "sampling",
      problem:
        "has `sampling`, which only your own configuration may say. Remove it, or define the server there",
    }
  return settings.annotations === "believed"
    ? {
        key: "annotations",
        problem:
          "has `annotations: believed`, which only your own configuration may say. Remove it, or define the server there",
      }
    : undefined
}
