import path from "node:path"
import { builtInAgents } from "../../agent/built-in-agents.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { findToolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { canonicalTools } from "../../agent/catalogue/tools.ts"
import { findVariablesProblem } from "../../agent/variable.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { fitValue } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import { type KeyPath, locateYaml, readYaml } from "../formats/document/yaml.ts"
import { readAge } from "../formats/fields/duration.ts"
import { formats } from "../formats/index.ts"
import { diagnose, type Locate, type Problem, type ReportProblem } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { readFlag } from "./flag.ts"
import { keyTypes } from "./key-type.ts"
import { type ConfigurationKey, configurationKeys } from "./keys.ts"
import { readPresets, readProviders } from "./read-entries.ts"
import { readExecutors } from "./read-executors.ts"
import { readMcpServers } from "./read-mcp-servers.ts"

/** The settings of one source: its values by key, and the findings about it. */
export interface ConfigurationLayer {
  readonly values: ReadonlyMap<string, Json>
  readonly diagnostics: readonly Diagnostic[]
  /** Findings about tools in its permissions that are neither in `toolNames` nor tools of any host. */
  unknownTools?(toolNames: ReadonlySet<string>): readonly Diagnostic[]
}

/** The folder and owner of a file. */
export interface ConfigurationPlace {
  readonly folder: string
  readonly home: string
  /** The owner of the file. A file of a project cannot point outside the project. */
  readonly of: "user" | "project"
  /** The folder that no link may leave. A user's own file may be anywhere. */
  readonly boundary?: string | undefined
}

/** Reads one configuration file. Invalid settings are left out of the values and reported; errors keep runs from starting. */
export function readConfigurationFile(file: string, base: ConfigurationPlace): ConfigurationLayer {
  const values = new Map<string, Json>()
  const problems: Problem[] = []
  const reading = readSourceFile(file, base.boundary)
  if (reading.type === "refused")
    return { values, diagnostics: diagnose(file, "", () => undefined, [reading.problem]) }
  const { text } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid") problems.push(notYaml(yaml.message, yaml.offset))
  else readKeys(yaml.value, { values, base, report: (problem) => problems.push(problem) })
  return {
    values,
    diagnostics: diagnose(file, text, locator(text), problems),
    unknownTools: (toolNames) => diagnose(file, text, locator(text), findUnknownTools(values, toolNames)),
  }
}

/** Reports rules about unknown tools, and rules that match no call: they would forbid nothing. */
function findUnknownTools(
  values: ReadonlyMap<string, Json>,
  toolNames: ReadonlySet<string>,
): readonly Problem[] {
  return ["allow", "ask", "deny"].flatMap((decision) => {
    const key = `permissions.${decision}`
    const rules = (values.get(key) ?? []) as readonly string[]
    return rules.flatMap((rule, index) => {
      const problem = ruleProblem(rule, toolNames, decision)
      if (problem === undefined) return []
      const message = `\`${key}\` ${problem}`
      return [{ ...wrongType(message, [...key.split("."), index]), code: "configuration-tool" }]
    })
  })
}

function ruleProblem(rule: string, toolNames: ReadonlySet<string>, decision: string): string | undefined {
  const wrong = findToolTextProblem(rule)
  if (wrong !== undefined) return `has an invalid rule. ${wrong}`
  const { name, argument = "*" } = splitToolName(rule)
  const tool = toolNames.has(name) ? undefined : lookUpTool(name)
  if (tool?.type === "unknown")
    return `names ${JSON.stringify(name)}, but there is no such tool, so the rule would have no effect. ${listKnownNames(name, [...canonicalTools, ...toolNames])}`
  if (decision === "allow") return undefined
  if (tool?.type === "pattern" && !isPatternOfTools(name, toolNames))
    return `names ${JSON.stringify(name)}, which matches no tool, so the rule would have no effect: \`*\` stands for any characters of a name. Write the name of a tool, or \`mcp__SERVER__*\` for the tools of a server.`
  const names = tool?.type === "equivalent" ? [tool.name, ...(tool.also ?? [])] : [name]
  return argument === "*" || tool?.type === "foreign" || names.some((one) => withArgument.has(one))
    ? undefined
    : `has the rule ${JSON.stringify(rule)}, which would have no effect: rules cannot match arguments of that tool. Write \`${name}\` for every call of it.`
}

/** True if a pattern may match a tool. The tools of MCP servers are not known here, so `mcp__` always may. */
const isPatternOfTools = (name: string, toolNames: ReadonlySet<string>): boolean =>
  name.startsWith("mcp__") || [...canonicalTools, ...toolNames].some((tool) => matchesStars(name, tool))

/** The tools whose argument a rule can match: commands, hosts, agents, programs and paths. */
const withArgument: ReadonlySet<string> = new Set([
  ...["Bash", "WebFetch", "Agent", "Executor", "Edit", "Write", "ApplyPatch"],
  ...["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
])

/** The names in `tools` of all layers. */
export const collectOwnTools = (layers: readonly ConfigurationLayer[]): ReadonlySet<string> =>
  new Set(layers.flatMap(({ values }) => (values.get("tools") ?? []) as readonly string[]))

interface Reading {
  readonly values: Map<string, Json>
  readonly base: ConfigurationPlace
  readonly report: ReportProblem
}

const keys = new Map(configurationKeys.map((setting) => [setting.key, setting]))
const groups = new Set([...keys.keys()].filter((key) => key.includes(".")).map((key) => key.split(".")[0]!))

function readKeys(document: Json, reading: Reading): void {
  if (document === null) return
  if (!isMap(document)) {
    const message =
      "A configuration file must contain keys and values, such as `model: fast`. No run starts with this one."
    reading.report(wrongType(message, []))
    return
  }
  for (const [name, value] of Object.entries(document)) {
    if (!groups.has(name)) readKey([name], value, reading)
    else if (isMap(value))
      for (const inner of Object.keys(value)) readKey([name, inner], value[inner]!, reading)
    else if (value !== null || name === "permissions" || name === "max_model_price")
      reading.report(
        wrongType(`\`${name}\` must be keys and values. No run starts with this setting.`, [name]),
      )
  }
}

/** A key without a value is ignored, unless it may have been meant to forbid something. */
function readKey(at: readonly string[], value: Json, reading: Reading): void {
  const setting = at.at(-1)!.includes(".") ? undefined : keys.get(at.join("."))
  if (!setting) reading.report(unknownKey(at))
  else if (value !== null) readValue(setting, value, reading)
  else if (binding.has(setting.key))
    reading.report(wrongType(`\`${setting.key}\` has no value. Add one, or remove the key.`, at))
}

/** Settings whose absence may allow more than their author meant. */
const binding: ReadonlySet<string> = new Set([
  ...["hooks", "permissions.ask", "permissions.deny"],
  ...["allowed_models", "max_model_price.input", "max_model_price.output"],
])

function readValue(setting: ConfigurationKey, value: Json, { values, base, report }: Reading): void {
  const at = setting.key.split(".")
  const type = keyTypes[setting.type]
  const flag = setting.type === "flag" && typeof value === "string" ? readFlag(value) : undefined
  if (flag !== undefined) {
    report(flagAsText(setting.key, value as string, flag))
    return readValue(setting, flag, { values, base, report })
  }
  const outside = (type === keyTypes.folder || type === keyTypes.folders) && leadsOut(value, base)
  if (outside) {
    report(
      wrongType(
        `\`${setting.key}\` leads out of the project, which is not allowed in a project's file. No run starts with this setting.`,
        at,
      ),
    )
    return
  }
  const fit = fitValue(type.value, value)
  if ("expected" in fit) {
    report(wrongType(`\`${setting.key}\` must be ${fit.expected}. No run starts with this setting.`, at))
    return
  }
  const problem = refusedValue(setting, fit.value, base)
  if (problem !== undefined) {
    report(wrongType(problem, at))
    return
  }
  const result = normalise(setting, fit.value, base, report)
  // The value is kept, so that an affected run does not start, instead of starting without a possible guard.
  const unsettable = findVariablesProblem(variablesIn(setting.key, result))
  if (unsettable !== undefined) report(wrongType(`T${unsettable.slice(1)}. No agent starts with it.`, at))
  values.set(setting.key, result)
}

/** The variables that a setting gives to runs. A locked variable is null unless another setting gives it a value. */
function variablesIn(key: string, value: Json): Json {
  if (key === "locked_variables")
    return Object.fromEntries((value as readonly string[]).map((name) => [name, null]))
  return key === "variables" ? value : {}
}

function refusedValue(
  { key, type, choices, projectMay }: ConfigurationKey,
  value: Json,
  { of }: ConfigurationPlace,
): string | undefined {
  if (choices && !choices.includes(value as string))
    return `\`${key}\` must be one of ${choices.join(", ")}. No run starts with this setting.`
  if (of === "project" && projectMay && !projectMay.includes(value))
    return projectMay.length > 0
      ? `A project cannot set \`${key}: ${value}\`, because that would loosen your own setting. Write ${projectMay.map((may) => `\`${may}\``).join(" or ")}, or remove it.`
      : `A project cannot set \`${key}: ${value}\`, because only you decide that. Set it in your own configuration, and remove it here.`
  if (type === "age" && readAge(value) === undefined)
    return `\`${key}\` must be a number and a unit, such as \`12h\`, \`30d\` or \`8w\`, but it is ${JSON.stringify(value)}. Nothing is removed.`
  return undefined
}

/** Makes folders absolute, and removes blank and invalid entries. */
function normalise(
  { key, type }: ConfigurationKey,
  value: Json,
  base: ConfigurationPlace,
  report: ReportProblem,
): Json {
  const words = () => (value as readonly string[]).filter((word) => word !== "")
  switch (type) {
    case "folder":
      return absolute(value as string, base)
    case "patterns":
      return key === "hide_built_in_agents" ? words().filter((name) => isBuiltIn(name, report)) : words()
    case "names":
      return key === "formats" ? words().filter((id) => isFormat(id, report)) : words()
    case "model-lists":
      return [words().filter((pattern) => isModelPattern(pattern, report))]
    case "folders":
      return words().map((folder) => absolute(folder, base))
    case "providers":
      return readProviders(value as { [key: string]: Json }, { key, of: base.of, report })
    case "presets":
      return readPresets(value as { [key: string]: Json }, { key, of: base.of, report })
    case "executors":
      return readExecutors(value as { [key: string]: Json }, {
        key,
        of: base.of,
        report,
        absolute: (place) => absolute(place, base),
      })
    case "mcpServers":
      return readMcpServers(value as { [key: string]: Json }, {
        key,
        of: base.of,
        report,
        absolute: (place) => absolute(place, base),
      })
    case "limits":
    case "severities":
      return Object.fromEntries(
        Object.entries(value as { [key: string]: Json }).filter(([name, entry]) => {
          const problem = keyTypes[type].problemOf(name, entry)
          if (problem !== undefined)
            report(wrongType(`${problem} No run starts with this setting.`, [key, name]))
          return problem === undefined
        }),
      )
    default:
      return value
  }
}

function isFormat(id: string, report: ReportProblem): boolean {
  const ids = formats.map((format) => format.id)
  if (ids.includes(id)) return true
  report(
    wrongType(
      `Unknown format ${JSON.stringify(id)}. ${listKnownNames(id, ids)} No run starts with this setting.`,
      ["formats"],
    ),
  )
  return false
}

function isModelPattern(pattern: string, report: ReportProblem): boolean {
  if (/^(?:\*|[^/:\s]+[/:]\S+)$/.test(pattern)) return true
  const message = `\`allowed_models\` has ${JSON.stringify(pattern)}, which matches no model. Write \`provider/model\`, such as \`anthropic/*\` or \`openai/gpt-6*\`.`
  report(wrongType(message, ["allowed_models"]))
  return false
}

function isBuiltIn(name: string, report: ReportProblem): boolean {
  const names = [...Object.keys(builtInAgents), "*"]
  if (names.includes(name)) return true
  const message = `Unknown built-in agent ${JSON.stringify(name)}. ${listKnownNames(name, names)} No run starts with this setting.`
  report(wrongType(message, ["hide_built_in_agents"]))
  return false
}

function leadsOut(value: Json, base: ConfigurationPlace): boolean {
  if (base.of === "user") return false
  return [value].flat().some((written) => {
    if (typeof written !== "string") return false
    return !isInside(base.folder, absolute(written, base))
  })
}

function absolute(written: string, { folder, home }: ConfigurationPlace): string {
  const place = written.trim()
  return /^~(?=$|[/\\])/.test(place) ? path.join(home, place.slice(1)) : path.resolve(folder, place)
}

function unknownKey(at: readonly string[]): Problem {
  return {
    code: "configuration-key",
    severity: "error",
    message: `\`${at.join(".")}\` is not a setting and has no effect. ${instead(at)}`,
    at: { type: "key", path: at },
  }
}

function instead(at: readonly string[]): string {
  const name = at.at(-1)!
  const [group, key] =
    [...keys.keys()].find((setting) => `.${setting}`.endsWith(`.${name}`))?.split(".") ?? []
  if (key !== undefined) return `Write \`${key}\` below \`${group}:\`.`
  const siblings = [...keys.keys()]
    .map((setting) => setting.split("."))
    .filter((path) => (at.length === 1 ? true : path[0] === at[0]))
    .map((path) => path[at.length - 1]!)
  return listKnownNames(name, new Set(siblings))
}

function wrongType(message: string, at: KeyPath): Problem {
  return { code: "configuration-type", severity: "error", message, at: { type: "value", path: at } }
}

function flagAsText(key: string, text: string, flag: boolean): Problem {
  const at = { type: "value", path: key.split(".") } as const
  return {
    code: "configuration-flag",
    severity: "warning",
    message: `\`${key}\` is the text ${JSON.stringify(text)}, which is read as ${flag}. Write \`${flag}\`, without quotes.`,
    at,
    fix: { title: `Write \`${flag}\``, edits: [{ at, text: String(flag) }] },
  }
}

function notYaml(reason: string, offset: number): Problem {
  return {
    code: "configuration-yaml",
    severity: "error",
    message: `Invalid YAML: ${reason}. None of the settings in this file take effect.`,
    at: { type: "span", span: { start: offset, end: offset } },
  }
}

function locator(text: string): Locate {
  let locate: ReturnType<typeof locateYaml> | undefined
  return (place) => {
    if (place.type === "span") return place.span
    if (place.type !== "key" && place.type !== "value") return { start: 0, end: 0 }
    locate ??= locateYaml(text)
    return locate(place.path, place.type)
  }
}
