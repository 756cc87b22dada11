import type { Tool } from "../../agent/tool.ts"
import type { Skill } from "../../definitions/skills/skills.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import { createBashTool } from "./bash.ts"
import { createFileTools } from "./files.ts"
import { createSkillTool } from "./skill.ts"
import { createWebFetchTool } from "./web-fetch.ts"

/** The workspace of the built-in tools, and their bounds. */
export interface BuiltInToolOptions {
  /** The workspace: files are only written in it. */
  readonly root: string
  /** Further folders that may be read. */
  readonly more?: readonly string[]
  /** Further paths that are never written. */
  readonly protect?: readonly string[]
  /**
   * Lists the definitions of agents that are read from a working directory: commands in the sandbox cannot
   * add any.
   */
  readonly definitions?: (cwd: string) => readonly string[]
  /** Folders outside of the workspace that commands in the sandbox cannot see. */
  readonly hidden?: readonly string[]
  /** Skills that agents may load. */
  readonly skills?: ReadonlyMap<string, Skill>
  /** `required`: commands run in a sandbox or not at all. Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** The network that commands in the sandbox have. Default: `none`. */
  readonly network?: "none" | "full"
  /** Hosts in private networks that WebFetch may read from. */
  readonly hosts?: readonly string[]
}

/**
 * The built-in tools for one workspace: files, commands, the web, skills. Nothing is loaded or run before a
 * tool is called.
 *
 * @example
 * ```ts
 * import { builtInTools, createRuntime } from "cadre"
 *
 * const root = process.cwd()
 * const tools = builtInTools({ root, sandbox: "required" })
 * const runtime = createRuntime({ tools, mode: { type: "default", root } })
 * ```
 */
export function builtInTools(options: BuiltInToolOptions): readonly Tool[] {
  requireKnownOptions("builtInTools", options, builtInToolOptions)
  const { root, more, protect, definitions, hidden, skills, sandbox, network, hosts } = options
  return [
    ...createFileTools({ root, ...(more && { more }), ...(protect && { protect }) }),
    createBashTool({
      root,
      ...(protect && { protect }),
      ...(definitions && { definitions }),
      ...(hidden && { hidden }),
      ...(sandbox && { sandbox }),
      ...(network && { network }),
    }),
    createWebFetchTool({ ...(hosts && { hosts }) }),
    ...(skills && skills.size > 0 ? [createSkillTool(skills)] : []),
  ]
}

const builtInToolOptions: KnownOptions<BuiltInToolOptions> = {
  root: "known",
  more: "known",
  protect: "known",
  definitions: "known",
  hidden: "known",
  skills: "known",
  sandbox: "known",
  network: "known",
  hosts: "known",
}
