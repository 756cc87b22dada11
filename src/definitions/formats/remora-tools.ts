import path from "node:path"
import type { Agent, ToolDefinition } from "../../agent/agent.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { Draft, FieldReading, Writing } from "./fields/field.ts"
import type { ReadOptions } from "./read-options.ts"
import { readRemoraTool } from "./remora-tool.ts"
import { toRelativePath } from "./resolve-path.ts"
import { deriveParameters } from "./script-parameters.ts"

/** The tool that ends a run: the model calls it with the result. */
const submit = "submit_result"

/** Reads the tools of a definition. The agent may use exactly these; the parameters of `submit_result` are its result. */
export function readRemoraTools(draft: Draft, entries: readonly Json[], reading: FieldReading): void {
  const base = findAgentsDir(reading.path, reading.options)
  const tools = entries.map((entry, index) => readRemoraTool(entry, index, base, reading.report))
  const named = tools.flatMap(({ name }, index) => (name === undefined ? [] : [{ name, index }]))
  reportRepeated(named, reading)
  const definitions = tools.flatMap(({ definition }) => definition ?? [])
  const result = getToolParameters(definitions.find(({ name }) => name === submit))
  draft.tools = { mode: "list", allow: [...new Set(named.map(({ name }) => name))], deny: [] }
  if (definitions.length > 0) draft.toolDefinitions = definitions
  if (result) draft.result = result
}

/** The parameters that a definition writes or its script declares. Undefined: neither is known. */
export function getToolParameters(tool: ToolDefinition | undefined): JsonSchema | undefined {
  if (!tool || tool.parameters) return tool?.parameters
  const derived = deriveParameters(tool, "remora")
  if ("problem" in derived) return undefined
  // A script that declares nothing says nothing about the result, either.
  const isOpen = tool.name === submit && Object.keys(derived.schema.properties as object).length === 0
  return isOpen ? { type: "object" } : derived.schema
}

export function writeRemoraTools({ toolDefinitions = [] }: Agent, { path: file, options }: Writing): Json {
  const base = findAgentsDir(file, options)
  return toolDefinitions.map(({ name, description, script, parameters, inputs, contextProviders }) => ({
    ...(parameters ? { name } : { tool_name: name }),
    pym: toRelativePath(base, script),
    ...(parameters ? { description, parameters } : { tool_description: description }),
    ...(inputs && { inputs_override: inputs }),
    ...(contextProviders && {
      context_providers: contextProviders.map((provider) => toRelativePath(base, provider)),
    }),
  }))
}

/** The folder that paths are relative to: the option, else the nearest folder named `agents` around the file. */
export function findAgentsDir(file: string, { agentsDir }: ReadOptions): string {
  if (agentsDir !== undefined) return path.resolve(agentsDir)
  const folders = path.dirname(path.resolve(file)).split(path.sep)
  const at = folders.lastIndexOf("agents")
  return folders.slice(0, at < 0 ? undefined : at + 1).join(path.sep)
}

function reportRepeated(
  named: readonly { readonly name: string; readonly index: number }[],
  { path: file, report }: FieldReading,
): void {
  const ends = named.filter(({ name }) => name === submit)
  if (ends.length !== 1)
    report({
      code: "submit-result",
      severity: "error",
      message: `Subagent definition must include exactly one ${submit} tool: ${file}. There ${ends.length === 0 ? "is none, so no run could end with a result" : `are ${ends.length}, so the shape of a result is unclear`}.`,
      at: ends[1]
        ? { type: "value", path: ["tools", ends[1].index, "name"] }
        : { type: "key", path: ["tools"] },
    })
  for (const { name, index } of named)
    if (name !== submit && named.some((other) => other.name === name && other.index < index))
      report({
        code: "tool-duplicate",
        severity: "error",
        message: `Duplicate tool name '${name}' in subagent definition: ${file}. A call of that name would be ambiguous. Rename one of the two.`,
        at: { type: "value", path: ["tools", index, "name"] },
      })
}
