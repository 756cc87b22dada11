import path from "node:path"
import { builtInAgents } from "../../agent/built-in-agents.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { toolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { canonicalTools } from "../../agent/catalogue/tools.ts"
import { variablesProblem } from "../../agent/variable.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { knownNames } from "../../ground/errors.ts"
import { fitValue } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { matches } from "../../ground/patterns/stars.ts"
import { locateYaml, type Path, readYaml } from "../formats/document/yaml.ts"
import { readAge } from "../formats/fields/duration.ts"
import { formats } from "../formats/index.ts"
import { diagnose, type Locate, type Problem, type Report } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { flagOf } from "./flag.ts"
import { keyTypes } from "./key-type.ts"
import { type ConfigurationKey, configurationKeys } from "./keys.ts"
import { readPresets, readProviders } from "./read-entries.ts"
import { readExecutors } from "./read-executors.ts"
import { readMcpServers } from "./read-mcp-servers.ts"

/** What one place says: the values it sets, by key, and what is wrong with it. */
export interface Layer {
  readonly values: ReadonlyMap<string, Json>
  readonly diagnostics: readonly Diagnostic[]
  /** What is wrong with its permissions, where these tools are known besides those of every host. */
  unknownTools?(known: ReadonlySet<string>): readonly Diagnostic[]
}

/** What paths in a file begin from. */
export interface Base {
  readonly folder: string
  readonly home: string
  /** Whose file it is: a project's cannot point outside the project. */
  readonly of: "user" | "project"
  /** The project, out of which no link is followed; a user's own file may lie anywhere. */
  readonly boundary?: string | undefined
}

/** Reads one configuration file. What is wrong is left out and said; the rest holds. */
export function readConfigurationFile(file: string, base: Base): Layer {
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
    unknownTools: (known) => diagnose(file, text, locator(text), unknownTools(values, known)),
  }
}

/** A rule about a tool that nobody knows is a slip, as is one that no call can ever be meant by: it would forbid nothing. */
function unknownTools(values: ReadonlyMap<string, Json>, known: ReadonlySet<string>): readonly Problem[] {
  return ["allow", "ask", "deny"].flatMap((decision) => {
    const key = `permissions.${decision}`
    const rules = (values.get(key) ?? []) as readonly string[]
    return rules.flatMap((rule, index) => {
      const problem = ruleProblem(rule, known, decision)
      if (problem === undefined) return []
      const message = `\`${key}\` ${problem}`
      return [{ ...wrongType(message, [...key.split("."), index]), code: "configuration-tool" }]
    })
  })
}

function ruleProblem(rule: string, known: ReadonlySet<string>, decision: string): string | undefined {
  const wrong = toolTextProblem(rule)
  if (wrong !== undefined) return `has a rule that cannot be read. ${wrong}`
  const { name, argument = "*" } = splitToolName(rule)
  const meant = known.has(name) ? undefined : lookUpTool(name)
  if (meant?.type === "unknown")
    return `names ${JSON.stringify(name)}, and there is no such tool, so the rule would decide nothing. ${knownNames(name, [...canonicalTools, ...known])}`
  if (decision === "allow") return undefined
  if (meant?.type === "pattern" && !isPatternOfTools(name, known))
    return `names ${JSON.stringify(name)}, which no tool is meant by, so the rule would decide nothing: \`*\` stands for any characters of a name. Write the name of a tool, or of tools of a server as \`mcp__SERVER__*\`.`
  const names = meant?.type === "equivalent" ? [meant.name, ...(meant.also ?? [])] : [name]
  return argument === "*" || meant?.type === "foreign" || names.some((one) => withArgument.has(one))
    ? undefined
    : `has the rule ${JSON.stringify(rule)}, which would decide nothing: no rule is about an argument of that tool. Write \`${name}\` for every call of it.`
}

/** What servers offer is not known here. */
const isPatternOfTools = (name: string, known: ReadonlySet<string>): boolean =>
  name.startsWith("mcp__") || [...canonicalTools, ...known].some((tool) => matches(name, tool))

/** The tools whose argument rules can be about: commands, hosts, agents, programs, and paths. */
const withArgument: ReadonlySet<string> = new Set([
  ...["Bash", "WebFetch", "Agent", "Executor", "Edit", "Write", "ApplyPatch"],
  ...["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
])

/** Names of tools beyond those that ship, whichever file says them. */
export const ownTools = (layers: readonly Layer[]): ReadonlySet<string> =>
  new Set(layers.flatMap(({ values }) => (values.get("tools") ?? []) as readonly string[]))

interface Reading {
  readonly values: Map<string, Json>
  readonly base: Base
  readonly report: Report
}

const keys = new Map(configurationKeys.map((known) => [known.key, known]))
const groups = new Set([...keys.keys()].filter((key) => key.includes(".")).map((key) => key.split(".")[0]!))

function readKeys(document: Json, reading: Reading): void {
  if (document === null) return
  if (!isMap(document)) {
    const message = "A configuration file holds keys and values, such as `model: fast`; this one is left out."
    reading.report(wrongType(message, []))
    return
  }
  for (const [name, value] of Object.entries(document)) {
    if (!groups.has(name)) readKey([name], value, reading)
    else if (isMap(value))
      for (const inner of Object.keys(value)) readKey([name, inner], value[inner]!, reading)
    else if (value !== null || name === "permissions" || name === "max_model_price")
      reading.report(wrongType(`\`${name}\` must be keys and values; it is left out.`, [name]))
  }
}

/** A key with nothing behind it is left out, unless it may have been meant to forbid something. */
function readKey(at: readonly string[], value: Json, reading: Reading): void {
  const known = at.at(-1)!.includes(".") ? undefined : keys.get(at.join("."))
  if (!known) reading.report(unknownKey(at))
  else if (value !== null) readValue(known, value, reading)
  else if (binding.has(known.key))
    reading.report(
      wrongType(`There is nothing behind \`${known.key}\`. Write what it was to say, or remove it.`, at),
    )
}

/** What would be looser without it than its author may have meant. */
const binding: ReadonlySet<string> = new Set([
  ...["hooks", "permissions.ask", "permissions.deny"],
  ...["allowed_models", "max_model_price.input", "max_model_price.output"],
])

function readValue(known: ConfigurationKey, value: Json, { values, base, report }: Reading): void {
  const at = known.key.split(".")
  const type = keyTypes[known.type]
  const flag = known.type === "flag" && typeof value === "string" ? flagOf(value) : undefined
  if (flag !== undefined) {
    report(flagAsText(known.key, value as string, flag))
    return readValue(known, flag, { values, base, report })
  }
  const outside = (type === keyTypes.folder || type === keyTypes.folders) && leadsOut(value, base)
  if (outside) {
    report(
      wrongType(
        `\`${known.key}\` leads out of the project, which a project's own file may not do; it is left out.`,
        at,
      ),
    )
    return
  }
  const fit = fitValue(type.value, value)
  if ("expected" in fit) {
    report(wrongType(`\`${known.key}\` must be ${fit.expected}; it is left out.`, at))
    return
  }
  const problem = refusedValue(known, fit.value, base)
  if (problem !== undefined) {
    report(wrongType(problem, at))
    return
  }
  const said = settled(known, fit.value, base, report)
  // It stays: a run that it would hold for says so, too, and does not start without what may have been a guard.
  const unsettable = variablesProblem(variablesIn(known.key, said))
  if (unsettable !== undefined) report(wrongType(`T${unsettable.slice(1)}. No agent starts with it.`, at))
  values.set(known.key, said)
}

/** The variables that a setting gives runs: one that is locked is null where nobody says more of it. */
function variablesIn(key: string, value: Json): Json {
  if (key === "locked_variables")
    return Object.fromEntries((value as readonly string[]).map((name) => [name, null]))
  return key === "variables" ? value : {}
}

function refusedValue(
  { key, type, choices, projectMay }: ConfigurationKey,
  value: Json,
  { of }: Base,
): string | undefined {
  if (choices && !choices.includes(value as string))
    return `\`${key}\` must be one of ${choices.join(", ")}. It is left out.`
  if (of === "project" && projectMay && !projectMay.includes(value))
    return projectMay.length > 0
      ? `A project may not set \`${key}: ${value}\`, because that would loosen your own setting. Write ${projectMay.map((may) => `\`${may}\``).join(" or ")}, or remove it.`
      : `A project may not set \`${key}: ${value}\`, because only you decide that. Set it in your own configuration, and remove it here.`
  if (type === "age" && readAge(value) === undefined)
    return `\`${key}\` must be a number and a unit, such as \`12h\`, \`30d\` or \`8w\`, but it is ${JSON.stringify(value)}. Nothing is removed.`
  return undefined
}

/** The value with its folders made absolute, and without entries that are blank or wrong. */
function settled({ key, type }: ConfigurationKey, value: Json, base: Base, report: Report): Json {
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
          if (problem !== undefined) report(wrongType(`${problem} It is left out.`, [key, name]))
          return problem === undefined
        }),
      )
    default:
      return value
  }
}

function isFormat(id: string, report: Report): boolean {
  const known = formats.map((format) => format.id)
  if (known.includes(id)) return true
  report(
    wrongType(`There is no format ${JSON.stringify(id)}. ${knownNames(id, known)} It is left out.`, [
      "formats",
    ]),
  )
  return false
}

function isModelPattern(pattern: string, report: Report): boolean {
  if (/^(?:\*|[^/:\s]+[/:]\S+)$/.test(pattern)) return true
  const message = `\`allowed_models\` has ${JSON.stringify(pattern)}, which no model is meant by. Write \`provider/model\`, such as \`anthropic/*\` or \`openai/gpt-6*\`.`
  report(wrongType(message, ["allowed_models"]))
  return false
}

function isBuiltIn(name: string, report: Report): boolean {
  const known = [...Object.keys(builtInAgents), "*"]
  if (known.includes(name)) return true
  const message = `There is no built-in agent ${JSON.stringify(name)}. ${knownNames(name, known)} It is left out.`
  report(wrongType(message, ["hide_built_in_agents"]))
  return false
}

function leadsOut(value: Json, base: Base): boolean {
  if (base.of === "user") return false
  return [value].flat().some((written) => {
    if (typeof written !== "string") return false
    return !isInside(base.folder, absolute(written, base))
  })
}

function absolute(written: string, { folder, home }: Base): string {
  const place = written.trim()
  return /^~(?=$|[/\\])/.test(place) ? path.join(home, place.slice(1)) : path.resolve(folder, place)
}

function unknownKey(at: readonly string[]): Problem {
  return {
    code: "configuration-key",
    severity: "error",
    message: `\`${at.join(".")}\` is no setting and has no effect. ${instead(at)}`,
    at: { type: "key", path: at },
  }
}

function instead(at: readonly string[]): string {
  const name = at.at(-1)!
  const [group, key] = [...keys.keys()].find((known) => `.${known}`.endsWith(`.${name}`))?.split(".") ?? []
  if (key !== undefined) return `Write \`${key}\` below \`${group}:\`.`
  const siblings = [...keys.keys()]
    .map((known) => known.split("."))
    .filter((known) => (at.length === 1 ? true : known[0] === at[0]))
    .map((known) => known[at.length - 1]!)
  return knownNames(name, new Set(siblings))
}

function wrongType(message: string, at: Path): Problem {
  return { code: "configuration-type", severity: "error", message, at: { type: "value", path: at } }
}

function flagAsText(key: string, text: string, flag: boolean): Problem {
  const at = { type: "value", path: key.split(".") } as const
  return {
    code: "configuration-flag",
    severity: "warning",
    message: `\`${key}\` is the text ${JSON.stringify(text)}, which is taken for ${flag}. Write \`${flag}\`, without quotes.`,
    at,
    fix: { title: `Write \`${flag}\``, edits: [{ at, text: String(flag) }] },
  }
}

function notYaml(reason: string, offset: number): Problem {
  return {
    code: "configuration-yaml",
    severity: "error",
    message: `The file is not valid YAML: ${reason}. None of its settings hold.`,
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
