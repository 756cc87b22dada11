import path from "node:path"
import type { ToolDefinition } from "../../agent/agent.ts"
import type { DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { KeyPath } from "./document/yaml.ts"
import { checkSchema } from "./fields/check-schema.ts"
import { explainInnerKey } from "./fields/unknown-key.ts"
import type { ReportProblem } from "./problem.ts"
import { isFile, isReallyBelow, resolvePath } from "./resolve-path.ts"
import { type DerivedParameters, deriveParameters } from "./script-parameters.ts"

/** The name of a tool, if it could be read, and its definition, if it can be called. */
export interface RemoraTool {
  readonly name: string | undefined
  readonly definition: ToolDefinition | undefined
}

/**
 * Reads one tool of a Remora definition. In the later shape (`tool_name`, `tool_description`, `inputs_override`) the
 * parameters are derived from the script.
 */
export function readRemoraTool(entry: Json, index: number, base: string, report: ReportProblem): RemoraTool {
  const reading = readingOf(entry, index, base, report)
  if (!reading) return { name: undefined, definition: undefined }
  reportUnknown(reading)
  const { tool, shape } = reading
  const pym = textAt(reading, "pym")
  const script = pym === undefined ? undefined : scriptAt(reading, "Tool script", pym, ["pym"])
  const name = nameOf(reading, pym)
  const description = textAt(
    reading,
    tool.tool_description === undefined ? "description" : "tool_description",
  )
  const parameters = shape === "later" ? undefined : parametersOf(reading)
  const inputs = mapAt(reading, "inputs_override")
  const contextProviders = providersOf(reading)
  if (name === undefined || description === undefined || script === undefined)
    return { name, definition: undefined }
  if (shape === "later")
    checkDerived(reading, name, deriveParameters({ script, ...(inputs && { inputs }) }, "remora"))
  const definition = {
    name,
    description,
    script,
    ...(parameters && { parameters }),
    ...(inputs && { inputs }),
    ...(contextProviders && { contextProviders }),
  }
  return { name, definition }
}

interface Reading {
  readonly tool: JsonMap
  readonly shape: "first" | "later"
  readonly index: number
  readonly base: string
  readonly report: ReportProblem
  say(severity: DiagnosticSeverity, code: string, message: string, at: KeyPath): void
}

const docs = {
  name: "The name that the model uses.",
  pym: "The script that a call runs.",
  description: "The description that the model reads.",
  parameters: "A JSON Schema of its arguments.",
  context_providers: "Scripts whose output goes before the output of the tool.",
  tool_name: "The name that the model uses.",
  tool_description: "The description that the model reads.",
  inputs_override: "Changes to the inputs that the script declares.",
}
const keys: ReadonlySet<string> = new Set(Object.keys(docs))
const laterKeys = ["tool_name", "tool_description", "inputs_override"]

function readingOf(entry: Json, index: number, base: string, report: ReportProblem): Reading | undefined {
  const say: Reading["say"] = (severity, code, message, at) =>
    report({ code, severity, message, at: { type: "value", path: ["tools", index, ...at] } })
  if (isMap(entry)) return { tool: entry, shape: shapeOf(entry), index, base, report, say }
  say(
    "error",
    "field-type",
    `\`tools[${index}]\` must be keys and values: name, pym, description, parameters.`,
    [],
  )
  return undefined
}

const shapeOf = (tool: JsonMap) =>
  tool.parameters === undefined && laterKeys.some((key) => tool[key] !== undefined) ? "later" : "first"

function reportUnknown({ tool, index, report }: Reading): void {
  for (const key of Object.keys(tool))
    if (!keys.has(key))
      report(
        explainInnerKey(["tools", index, key], keys, {
          is: `\`${key}\` is not a key of a Remora tool`,
          otherwise: " and has no effect.",
          severity: "info",
        }),
      )
}

function nameOf(reading: Reading, pym: string | undefined): string | undefined {
  const { tool, shape } = reading
  if (shape === "first" || tool.name !== undefined) return textAt(reading, "name")
  if (tool.tool_name !== undefined && tool.tool_name !== null) return textAt(reading, "tool_name")
  return pym === undefined ? undefined : path.basename(pym).replace(/\.[^.]*$/, "")
}

function textAt({ tool, index, say }: Reading, key: keyof typeof docs): string | undefined {
  const value = tool[key]
  if (value === undefined)
    say("error", "field-missing", `missing required field: tools[${index}].${key}. ${docs[key]}`, [key])
  else if (typeof value !== "string" || value.trim() === "")
    say(
      "error",
      "field-type",
      `\`tools[${index}].${key}\` must be a non-empty text, but it is ${JSON.stringify(value)}.`,
      [key],
    )
  else return value
  return undefined
}

function mapAt({ tool, index, say }: Reading, key: keyof typeof docs): JsonMap | undefined {
  const value = tool[key]
  if (value === undefined || isMap(value)) return value
  say("error", "field-type", `\`tools[${index}].${key}\` must be keys and values.`, [key])
  return undefined
}

function checkDerived({ index, report }: Reading, name: string, derived: DerivedParameters): void {
  // Without the shape of its result a run could not end. Other scripts are checked where they would run.
  if ("problem" in derived && name === "submit_result")
    report({
      code: "script-check",
      severity: "error",
      loads: true,
      message: `The parameters of tool '${name}' cannot be derived from its script, so this agent does not start: ${derived.problem.replace(/\.$/, "")}. Repair the script, or write \`parameters\` as a JSON Schema.`,
      at: { type: "value", path: ["tools", index, "pym"] },
    })
  if (!("problem" in derived))
    for (const warning of derived.warnings)
      report({
        code: "inputs-override",
        severity: "warning",
        message: `${warning}. The definition wins.`,
        at: { type: "value", path: ["tools", index, "inputs_override"] },
      })
}

function parametersOf({ tool: { parameters }, index, say }: Reading): JsonMap | undefined {
  if (parameters === undefined) {
    say(
      "error",
      "field-missing",
      `missing required field: tools[${index}].parameters. ${docs.parameters}`,
      [],
    )
    return undefined
  }
  if (!isMap(parameters) || parameters.type !== "object")
    say(
      "error",
      "tool-parameters-type",
      "Tool parameters must define type: object. A model sends named arguments.",
      ["parameters", "type"],
    )
  if (!isMap(parameters)) return undefined
  // A wrong `type` has already been reported above.
  for (const { path: at, message } of checkSchema(parameters).filter(({ path: at }) => at.join() !== "type"))
    say(
      "error",
      "tool-parameters-schema",
      `Tool parameters must be a valid JSON Schema: \`${at.join(".")}\` ${message}.`,
      ["parameters", ...at],
    )
  if (parameters.additionalProperties !== false)
    say(
      "warning",
      "tool-parameters-open",
      "Tool parameters should set additionalProperties: false for strict mode. Without it, a model may send arguments that the script does not know.",
      ["parameters"],
    )
  return parameters
}

function providersOf(reading: Reading): readonly string[] | undefined {
  const { tool, index, say } = reading
  const providers = tool.context_providers
  if (providers === undefined || providers === null) return undefined
  if (!Array.isArray(providers) || !providers.every((entry) => typeof entry === "string")) {
    say("error", "field-type", `\`tools[${index}].context_providers\` must be a list of paths.`, [
      "context_providers",
    ])
    return undefined
  }
  return providers.flatMap(
    (relative, place) => scriptAt(reading, "Context provider", relative, ["context_providers", place]) ?? [],
  )
}

/** Resolves the path of a script. Undefined: the script is outside the folder, and is never run. */
function scriptAt({ base, say }: Reading, what: string, relative: string, at: KeyPath): string | undefined {
  const resolved = resolvePath(base, relative)
  if (!isReallyBelow(base, resolved)) {
    say(
      "error",
      "path-outside",
      `\`${relative}\` is outside the agents folder, ${base}. Scripts outside it are never run: move the script inside.`,
      at,
    )
    return undefined
  }
  if (!isFile(resolved))
    say("warning", "path-missing", `${what} not found: ${resolved}. The call would fail.`, at)
  return resolved
}
