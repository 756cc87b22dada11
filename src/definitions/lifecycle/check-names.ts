import { catalogueNames, lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { canonicalTools } from "../../agent/catalogue/tools.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { knownNames } from "../../ground/errors.ts"
import { type Json, mapOf, valueAt } from "../../ground/message.ts"
import { closestWord, plainKey, vocabularyOf } from "../../ground/restricting.ts"
import { type EffectText, filterPath, type HookAround, type HookFinding } from "./finding.ts"
import { isGateAt, type LifecycleHook } from "./hook.ts"
import { matchesName, parseNamePattern } from "./name-pattern.ts"
import { isPattern, type ListedName, splitNames } from "./read-names.ts"

type Path = PlacedProblem["path"]

/** Names in hooks that nobody has: of agents, tools and skills, and of variables that stay as they are. */
export const checkNames = (
  hook: LifecycleHook,
  hooks: Json,
  effects: readonly EffectText[],
  around: HookAround,
): readonly HookFinding[] => [
  ...namesAt(hooks, hook, "tools").flatMap((named) => unknownTool(named, hook, around)),
  ...namesAt(hooks, hook, "agents").flatMap((named) => agentForNobody(named, hook, around)),
  ...effects.flatMap((effect) => [
    ...spawnsNobody(effect, around),
    ...loadsNothing(effect, around),
    ...setsLocked(effect, around),
  ]),
]

/** A name that stands by itself or between others. */
interface Named extends ListedName {
  readonly path: Path
}

function namesAt(hooks: Json, hook: LifecycleHook, key: "tools" | "agents"): readonly Named[] {
  const path = filterPath(hook, key)
  const given = hook[key] && valueAt(hooks, path)
  const listed = (one: Json, at: Path) => splitNames(String(one), key).map((name) => ({ ...name, path: at }))
  if (Array.isArray(given)) return given.flatMap((one: Json, index) => listed(one, [...path, index]))
  return given === undefined ? [] : listed(given, path)
}

const placeOf = ({ name, path, offset }: Named) => ({ path, offset, length: name.length })

function unknownTool(named: Named, hook: LifecycleHook, around: HookAround): readonly HookFinding[] {
  const problem = nameProblem(named, hook, around)
  if (!problem) return []
  // Gobby's files name tools of every program. A gate that is for none of ours forbids nothing.
  const isLenient = hook.words === "gobby" && !isGateAt(hook)
  return [
    { code: "hook-tool-unknown", ...problem, ...(isLenient && { severity: "warning" }), ...placeOf(named) },
  ]
}

function nameProblem(
  { name, isPattern: isSearched }: Named,
  { words }: LifecycleHook,
  around: HookAround,
): ToolProblem | undefined {
  const unfound = isSearched ? unmatched(name, [...canonicalTools, ...around.tools], words) : undefined
  if (isSearched && (!unfound || isPattern(name))) return unfound
  return toolProblem(name, around)
}

type ToolProblem = Pick<HookFinding, "severity" | "message">

/** What is wrong with the name of a tool; undefined where nothing is. */
export function toolProblem(name: string, { tools }: Pick<HookAround, "tools">): ToolProblem | undefined {
  const known = tools.has(name) ? undefined : lookUpTool(name)
  if (known?.type === "foreign")
    return {
      severity: "warning",
      message: `${JSON.stringify(name)} is another host's tool, without an equivalent here, so no call is ever one of it.`,
    }
  if (known?.type !== "unknown" && !(known?.type === "mcp" && isOwnTool(known.server))) return undefined
  return {
    severity: "error",
    message: `No tool is called ${JSON.stringify(name)}, so no call is ever one of it. ${knownNames(name, new Set([...canonicalTools, ...tools]))}`,
  }
}

/** `Edit/Bash` reads as a tool of a server, and no server is called as one of our tools. */
const isOwnTool = (server: string): boolean =>
  canonicalTools.some((tool) => tool.toLowerCase() === server.toLowerCase())

/** What servers offer is not known here. */
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
      message: `${JSON.stringify(text)} matches tools of other hosts alone, without an equivalent here, so no call is ever one of it.`,
    }
  const { name, argument } = splitToolName(text)
  const instead =
    argument === undefined
      ? "Write the name of a tool, or a pattern that is found in one."
      : `A hook is for a tool, and not for some of its arguments. Write \`${name}\`, and what of it is meant as ${words === "gobby" ? "`command_pattern`" : '`when`, such as `"touch" in command`'}.`
  return {
    severity: "error",
    message: `${JSON.stringify(text)} matches no tool, so no call is ever one of it. ${instead}`,
  }
}

/** Whether it is the whole name of a tool that other hosts have, and nobody here. */
function isOfOtherHosts(text: string): boolean {
  const whole = parseNamePattern(`^(?:${text})$`)
  return (
    "pattern" in whole &&
    [...catalogueNames()].some(
      (tool) => matchesName(whole.pattern, tool) && lookUpTool(tool).type === "foreign",
    )
  )
}

function agentForNobody(named: Named, hook: LifecycleHook, around: HookAround): readonly HookFinding[] {
  const agents = [...around.agents.keys()]
  const parsed = named.isPattern ? parseNamePattern(named.name) : undefined
  const isFound =
    parsed && (!("pattern" in parsed) || agents.some((name) => matchesName(parsed.pattern, name)))
  if (isFound || around.agents.has(named.name)) return []
  return [{ ...nobodyCalled(named.name, hook, around), ...placeOf(named) }]
}

/**
 * A hook for an agent that nobody is. A gate forbids nothing then, which is an error; but what a user has for all projects
 * may name the agents of another one, as long as it is no slip of a name that is here.
 */
export function nobodyCalled(
  name: string,
  hook: LifecycleHook,
  { agents, of }: HookAround,
): Pick<HookFinding, "code" | "severity" | "message"> {
  const message = `No agent is called ${JSON.stringify(name)}, so no run is ever one of it. ${knownNames(name, agents.keys())}`
  const isSlip = () =>
    closestWord(plainKey(name), vocabularyOf([...agents].map(([one]) => [plainKey(one), one])))
  return isGateAt(hook) && (of !== "user" || isSlip())
    ? { code: "hook-agent-nobody", severity: "error", message }
    : { code: "hook-agent-unknown", severity: "warning", message }
}

function spawnsNobody({ type, value, path }: EffectText, { agents }: HookAround): readonly HookFinding[] {
  const { agent } = mapOf(value)
  if (type !== "spawn_agent" || typeof agent !== "string" || agents.has(agent)) return []
  return [
    {
      code: "hook-agent-unknown",
      severity: "error",
      path: [...path, "agent"],
      message: `There is no agent named ${JSON.stringify(agent)}, so whatever this hook is for would be refused. ${knownNames(agent, agents.keys())}`,
    },
  ]
}

function loadsNothing({ type, value, path }: EffectText, { skills }: HookAround): readonly HookFinding[] {
  if (type !== "load_skill") return []
  const map = mapOf(value)
  const key = ["skill", "name"].find((name) => Object.hasOwn(map, name))
  const [given, at] = key === undefined ? [value, path] : [map[key]!, [...path, key]]
  const names = Array.isArray(given)
    ? given.map((name: Json, index): readonly [Json, Path] => [name, [...at, index]])
    : [[given, at] as const]
  return names.flatMap(([name, where]): readonly HookFinding[] =>
    typeof name !== "string" || skills.has(name)
      ? []
      : [
          {
            code: "hook-skill-unknown",
            severity: "error",
            path: where,
            message: `There is no skill named ${JSON.stringify(name)}. ${knownNames(name, skills)}`,
          },
        ],
  )
}

function setsLocked({ type, value, path }: EffectText, { locked }: HookAround): readonly HookFinding[] {
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
