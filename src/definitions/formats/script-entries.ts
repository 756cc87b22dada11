import path from "node:path"
import type { Agent, ToolDefinition } from "../../agent/agent.ts"
import type { Draft, FieldReading } from "./fields/field.ts"
import { isReallyBelow, relativePath } from "./resolve-path.ts"

/** True if an entry of a list of tools is a path, and names a script beside the definition. */
const isPathEntry = (entry: string): boolean => /^\.{0,2}[/\\]/.test(entry)

/**
 * Turns entries of `tools` that are paths into tools of the definition. The scripts lie in the folder of the definition
 * or below it: agents cannot change that folder.
 */
export function takeScriptEntries(draft: Draft, { path: file, report }: FieldReading): void {
  const { tools } = draft
  if (!tools?.allow.some(isPathEntry)) return
  const definitions: ToolDefinition[] = [...(draft.toolDefinitions ?? [])]
  const allow = tools.allow.flatMap((entry, index) => {
    if (!isPathEntry(entry)) return [entry]
    const refuse = (code: string, message: string) => {
      report({ code, severity: "error", message, at: { type: "value", path: ["tools", index] } })
      return []
    }
    const folder = path.dirname(path.resolve(file))
    const script = path.resolve(folder, entry)
    const name = path.basename(script).replace(/\.[^.]*$/, "")
    if (!isReallyBelow(folder, script))
      return refuse(
        "path-outside",
        `\`${entry}\` is outside ${folder}, the folder of the definition. Scripts outside it are never run: move the script inside.`,
      )
    if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))
      return refuse(
        "tool-script",
        `The script \`${entry}\` gives no name for a tool. Name the file with letters, digits, "_" or "-".`,
      )
    if (definitions.some((one) => one.name === name) || tools.allow.includes(name))
      return refuse(
        "tool-duplicate",
        `Two tools are named ${JSON.stringify(name)}, so a call of that name would be ambiguous. Rename the file of one.`,
      )
    definitions.push({ name, description: "", script, entry: relativeEntry(folder, script) })
    return [name]
  })
  draft.tools = { ...tools, allow }
  if (definitions.length > 0) draft.toolDefinitions = definitions
}

const relativeEntry = (folder: string, script: string): string => `./${relativePath(folder, script)}`

/** The agent with paths in its list again, for a format that writes them. */
export function writeScriptEntries(agent: Agent): Agent {
  const entries = new Map(
    (agent.toolDefinitions ?? []).flatMap(({ name, entry }) =>
      entry === undefined ? [] : [[name, entry] as const],
    ),
  )
  if (entries.size === 0) return agent
  const { toolDefinitions = [], tools, ...rest } = agent
  const others = toolDefinitions.filter(({ entry }) => entry === undefined)
  return {
    ...rest,
    tools: { ...tools, allow: tools.allow.map((name) => entries.get(name) ?? name) },
    ...(others.length > 0 && { toolDefinitions: others }),
  }
}
