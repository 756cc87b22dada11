import path from "node:path"
import type { Agent, ToolDefinition } from "../../agent/agent.ts"
import type { Draft, FieldReading } from "./fields/field.ts"
import { isReallyBelow, toRelativePath } from "./resolve-path.ts"

/** True if an entry of a list of tools is a path, and names a script beside the definition. */
const isPathEntry = (entry: string): boolean => /^\.{0,2}[/\\]/.test(entry)

/** The key of the file that a part of the agent was read from. */
export type KeyOf = (part: "tools.allow" | "tools.deny") => string

/**
 * Turns entries of `tools` that are paths into tools of the definition. The scripts lie in the folder of the definition
 * or below it: agents cannot change that folder. A denied path denies the tool of that script.
 */
export function takeScriptEntries(draft: Draft, { path: file, report }: FieldReading, keyOf: KeyOf): void {
  const { tools } = draft
  if (!tools || !(tools.allow.some(isPathEntry) || tools.deny.some(isPathEntry))) return
  const definitions: ToolDefinition[] = [...(draft.toolDefinitions ?? [])]
  const folder = path.dirname(path.resolve(file))
  const refuseAt = (key: string, index: number) => (code: string, message: string) => {
    report({ code, severity: "error", message, at: { type: "value", path: [key, index] } })
    return []
  }
  const allow = tools.allow.flatMap((entry, index) => {
    if (!isPathEntry(entry)) return [entry]
    const refuse = refuseAt(keyOf("tools.allow"), index)
    const script = path.resolve(folder, entry)
    const name = nameOfScript(script)
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
  const deny = tools.deny.flatMap((entry, index) => {
    if (!isPathEntry(entry)) return [entry]
    const script = path.resolve(folder, entry)
    const denied = definitions.find((one) => one.script === script)
    if (denied) return [denied.name]
    return refuseAt(keyOf("tools.deny"), index)(
      "tool-script",
      `\`${entry}\` is none of the scripts of this agent, so it denies nothing. Write the path as the list of tools has it, or remove the entry.`,
    )
  })
  draft.tools = { ...tools, allow, deny }
  if (definitions.length > 0) draft.toolDefinitions = definitions
}

const nameOfScript = (script: string): string => path.basename(script).replace(/\.[^.]*$/, "")

const relativeEntry = (folder: string, script: string): string => `./${toRelativePath(folder, script)}`

/** The agent with paths in its list again, for a format that writes them. */
export function writeScriptEntries(agent: Agent): Agent {
  const entries = new Map(
    (agent.toolDefinitions ?? []).flatMap(({ name, entry }) =>
      entry === undefined ? [] : [[name, entry] as const],
    ),
  )
  if (entries.size === 0) return agent
  const { toolDefinitions = [], tools, ...rest } = agent
  const entryOf = (name: string): string => entries.get(name) ?? name
  const others = toolDefinitions.filter(({ entry }) => entry === undefined)
  return {
    ...rest,
    tools: { ...tools, allow: tools.allow.map(entryOf), deny: tools.deny.map(entryOf) },
    ...(others.length > 0 && { toolDefinitions: others }),
  }
}
