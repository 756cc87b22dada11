import { listCatalogueNames, lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { canonicalTools } from "../../agent/catalogue/tools.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { getValueAt, type Json, mapOf } from "../../ground/message.ts"
import { createVocabulary, findClosestWord, toPlainKey } from "../../ground/restricting.ts"
import { type EffectText, filterPath, type HookFacts, type HookFinding } from "./finding.ts"
import { isGateAt, type LifecycleHook } from "./hook.ts"
import { matchesName, parseNamePattern } from "./name-pattern.ts"
import { isPattern, type ListedName, splitNames } from "./read-names.ts"

type Path = PlacedProblem["path"]

/** Finds names of unknown agents, tools and skills in hooks, and names of locked variables. */
export const checkNames = (
  hook: LifecycleHook,
  hooks: Json,
  effects: readonly EffectText[],
  around: HookFacts,
): readonly HookFinding[] => [
  ...namesAt(hooks, hook, "tools").flatMap((named) => unknownTool(named, hook, around)),
  ...namesAt(hooks, hook, "agents").flatMap((named) => agentForNobody(named, hook, around)),
  ...effects.flatMap((effect) => [
    ...spawnsNobody(effect, around),
    ...loadsNothing(effect, around),
    ...setsLocked(effect, around),
  ]),
]

/** A name with the keys that lead to it. It may be one of several in a text. */
interface Named extends ListedName {
  readonly path: Path
}

function namesAt(hooks: Json, hook: LifecycleHook, key: "tools" | "agents"): readonly Named[] {
  const path = filterPath(hook, key)
  const names = hook[key] && getValueAt(hooks, path)
  const splitEntry = (one: Json, at: Path) =>
    splitNames(String(one), key).map((name) => ({ ...name, path: at }))
  if (Array.isArray(names)) return names.flatMap((one: Json, index) => splitEntry(one, [...path, index]))
  return names === undefined ? [] : splitEntry(names, path)
}

const placeOf = ({ name, path, offset }: Named) => ({ path, offset, length: name.length })

function unknownTool(named: Named, hook: LifecycleHook, around: HookFacts): readonly HookFinding[] {
  const problem = nameProblem(named, hook, around)
  if (!problem) return []
  // Gobby's files name tools of other programs, so an unknown one is an error only in a gate: it would forbid nothing.
  const isLenient = hook.words === "gobby" && !isGateAt(hook)
  return [
    { code: "hook-tool-unknown", ...problem, ...(isLenient && { severity: "warning" }), ...placeOf(named) },
  ]
}

function nameProblem(
  { name, isPattern: isSearched }: Named,
  { words }: LifecycleHook,
  around: HookFacts,
): ToolProblem | undefined {
  const unfound = isSearched ? unmatched(name, [...canonicalTools, ...around.tools], words) : undefined
  if (isSearched && (!unfound || isPattern(name))) return unfound
  return findToolProblem(name, around)
}

type ToolProblem = Pick<HookFinding, "severity" | "message">

/** The problem with the name of a tool. Undefined: there is none. */
export function findToolProblem(name: string, { tools }: Pick<HookFacts, "tools">): ToolProblem | undefined {
  const knownTool = tools.has(name) ? undefined : lookUpTool(name)
  if (knownTool?.type === "foreign")
    return {
      severity: "warning",
      message: `${JSON.stringify(name)} is a tool of another host and has no equivalent here, so this never applies to any call.`,
    }
  if (knownTool?.type !== "unknown" && !(knownTool?.type === "mcp" && isOwnTool(knownTool.server)))
    return undefined
  return {
    severity: "error",
    message: `No tool is named ${JSON.stringify(name)}, so this never applies to any call. ${listKnownNames(name, new Set([...canonicalTools, ...tools]))}`,
  }
}

/** `Edit/Bash` looks like a tool of a server, but no server has the name of one of our tools. */
const isOwnTool = (server: string): boolean =>
  canonicalTools.some((tool) => tool.toLowerCase() === server.toLowerCase())

/** The problem with a pattern that matches no tool. Tools of MCP servers are not known here, so they are not checked. */
function unmatched(
  text: string,
  tools: readonly string[],
  words: LifecycleHook["words"],
): ToolProblem | undefined {
  const parsed = parseNamePattern(text)
  if (!("pattern" in parsed) || /mcp/i.test(text)) return undefined
  if (tools.some((tool) => matchesName(parsed.pattern, tool))) return undefined
  if (isOfOtherHosts(text))
    return {
      severity: "warning",
      message: `${JSON.stringify(text)} matches only tools of other hosts that have no equivalent here, so this never applies to any call.`,
    }
  const { name, argument } = splitToolName(text)
  const instead =
    argument === undefined
      ? "Write the name of a tool, or a pattern that matches one."
      : `A hook is for a tool, and not for some of its arguments. Write \`${name}\` here, and the condition as ${words === "gobby" ? "`command_pattern`" : '`when`, such as `"touch" in command`'}.`
  return {
    severity: "error",
    message: `${JSON.stringify(text)} matches no tool, so this never applies to any call. ${instead}`,
  }
}

/** True if a pattern matches the whole name of a tool that only other hosts have. */
function isOfOtherHosts(text: string): boolean {
  const whole = parseNamePattern(`^(?:${text})$`)
  return (
    "pattern" in whole &&
    [...listCatalogueNames()].some(
      (tool) => matchesName(whole.pattern, tool) && lookUpTool(tool).type === "foreign",
    )
  )
}

function agentForNobody(named: Named, hook: LifecycleHook, around: HookFacts): readonly HookFinding[] {
  const agents = [...around.agents.keys()]
  const parsed = named.isPattern ? parseNamePattern(named.name) : undefined
  const isFound =
    parsed && (!("pattern" in parsed) || agents.some((name) => matchesName(parsed.pattern, name)))
  if (isFound || around.agents.has(named.name)) return []
  return [{ ...reportUnknownAgent(named.name, hook, around), ...placeOf(named) }]
}

/**
 * The finding for a hook that names an unknown agent. For a gate it is an error, because the gate forbids nothing. But a
 * user's hooks may name agents of another project, so there only a typo of a known name is an error.
 */
export function reportUnknownAgent(
  name: string,
  hook: LifecycleHook,
  { agents, of }: HookFacts,
): Pick<HookFinding, "code" | "severity" | "message"> {
  const message = `No agent is named ${JSON.stringify(name)}, so this never applies to any run. ${listKnownNames(name, agents.keys())}`
  const isSlip = () =>
    findClosestWord(toPlainKey(name), createVocabulary([...agents].map(([one]) => [toPlainKey(one), one])))
  return isGateAt(hook) && (of !== "user" || isSlip())
    ? { code: "hook-agent-nobody", severity: "error", message }
    : { code: "hook-agent-unknown", severity: "warning", message }
}

function spawnsNobody({ type, value, path }: EffectText, { agents }: HookFacts): readonly HookFinding[] {
  const { agent } = mapOf(value)
  if (type !== "spawn_agent" || typeof agent !== "string" || agents.has(agent)) return []
  return [
    {
      code: "hook-agent-unknown",
      severity: "error",
      path: [...path, "agent"],
      message: `There is no agent named ${JSON.stringify(agent)}, so every call that this hook is for would be refused. ${listKnownNames(agent, agents.keys())}`,
    },
  ]
}

function loadsNothing({ type, value, path }: EffectText, { skills }: HookFacts): readonly HookFinding[] {
  if (type !== "load_skill") return []
  const map = mapOf(value)
  const key = ["skill", "name"].find((name) => Object.hasOwn(map, name))
  const [skillNames, at] = key === undefined ? [value, path] : [map[key]!, [...path, key]]
  const names = Array.isArray(skillNames)
    ? skillNames.map((name: Json, index): readonly [Json, Path] => [name, [...at, index]])
    : [[skillNames, at] as const]
  return names.flatMap(([name, where]): readonly HookFinding[] =>
    typeof name !== "string" || skills.has(name)
      ? []
      : [
          {
            code: "hook-skill-unknown",
            severity: "error",
            path: where,
            message: `There is no skill named ${JSON.stringify(name)}. ${listKnownNames(name, skills)}`,
          },
        ],
  )
}

function setsLocked({ type, value, path }: EffectText, { locked }: HookFacts): readonly HookFinding[] {
  const map = mapOf(value)
  const at = (name: string, where: Path, about?: "key"): readonly HookFinding[] =>
    locked.includes(name)
      ? [
          {
            code: "hook-variable-locked",
            severity: "warning",
            path: where,
            ...(about && { about }),
            message: `The variable ${JSON.stringify(name)} is locked by the user's configuration (\`locked_variables\`), so it is not set.`,
          },
        ]
      : []
  if (type === "spawn_agent")
    return Object.keys(mapOf(map.variables)).flatMap((name) => at(name, [...path, "variables", name], "key"))
  if (type !== "set_variable") return []
  const key =
    map.type === type ? ["variable", "name"].find((name) => typeof map[name] === "string") : undefined
  return key === undefined
    ? Object.keys(map).flatMap((name) => at(name, [...path, name], "key"))
    : at(String(map[key]), [...path, key])
}
