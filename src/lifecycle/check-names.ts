import { lookUpTool } from "../catalogue/look-up.ts"
import { canonicalTools } from "../catalogue/tools.ts"
import { knownNames, nearestName } from "../errors.ts"
import { type Json, mapOf } from "../message.ts"
import { type EffectText, filterPath, type HookAround, type HookFinding, valueAt } from "./finding.ts"
import type { HookProblem, LifecycleHook } from "./hook.ts"
import { matchesName, parsePattern } from "./name-pattern.ts"
import { isPattern } from "./read-names.ts"

type Path = HookProblem["path"]

/** Names in hooks that nobody has: of agents, tools and skills, and of variables that stay as they are. */
export const checkNames = (
  hook: LifecycleHook,
  hooks: Json,
  effects: readonly EffectText[],
  around: HookAround,
): readonly HookFinding[] => [
  ...namesAt(hooks, filterPath(hook, "tools"), hook.tools).flatMap((named) =>
    unknownTool(named, hook, around),
  ),
  ...namesAt(hooks, filterPath(hook, "agents"), hook.agents).flatMap((named) =>
    agentForNobody(named, around),
  ),
  ...effects.flatMap((effect) => [
    ...spawnsNobody(effect, around),
    ...loadsNothing(effect, around),
    ...setsLocked(effect, around),
  ]),
]

/** A name that stands by itself or between others. */
interface Named {
  readonly name: string
  readonly path: Path
  readonly offset: number
}

function namesAt(hooks: Json, path: Path, read: readonly string[] | undefined): readonly Named[] {
  const given = read && valueAt(hooks, path)
  if (Array.isArray(given)) return given.flatMap((one: Json, index) => namesIn(String(one), [...path, index]))
  return given === undefined ? [] : namesIn(String(given), path)
}

/** A text is one pattern, or names with something between them. */
function namesIn(text: string, path: Path): readonly Named[] {
  if (isPattern(text.replace(/[|,\s]/g, ""))) return [{ name: text.trim(), path, offset: 0 }]
  return [...text.matchAll(/[^|,\s]+/g)].map(({ 0: name, index }) => ({ name, path, offset: index }))
}

const placeOf = ({ name, path, offset }: Named) => ({ path, offset, length: name.length })

function unknownTool(named: Named, { words }: LifecycleHook, around: HookAround): readonly HookFinding[] {
  const all = [...canonicalTools, ...around.tools]
  const problem = isPattern(named.name) ? unmatched(named.name, all) : toolProblem(named.name, around)
  if (!problem) return []
  // Gobby's files name tools of every program: only what is nearly one of ours is a slip.
  const isForeign = words === "gobby" && nearestName(named.name.toLowerCase(), all) === undefined
  return [
    { code: "hook-tool-unknown", ...problem, ...(isForeign && { severity: "warning" }), ...placeOf(named) },
  ]
}

/** What is wrong with the name of a tool; undefined where nothing is. */
export function toolProblem(
  name: string,
  { tools }: Pick<HookAround, "tools">,
): Pick<HookFinding, "severity" | "message"> | undefined {
  const known = tools.has(name) ? undefined : lookUpTool(name).type
  if (known === "foreign")
    return {
      severity: "warning",
      message: `${JSON.stringify(name)} is another host's tool, without an equivalent here, so no call is ever one of it.`,
    }
  if (known !== "unknown") return undefined
  return {
    severity: "error",
    message: `No tool is called ${JSON.stringify(name)}, so no call is ever one of it. ${knownNames(name, [...canonicalTools, ...tools])}`,
  }
}

/** What servers offer is not known here. */
function unmatched(
  text: string,
  tools: readonly string[],
): Pick<HookFinding, "severity" | "message"> | undefined {
  const parsed = parsePattern(text)
  if (!("pattern" in parsed) || /mcp/i.test(text)) return undefined
  return tools.some((tool) => matchesName(parsed.pattern, tool))
    ? undefined
    : {
        severity: "warning",
        message: `${JSON.stringify(text)} matches no tool, so no call is ever one of it.`,
      }
}

function agentForNobody(named: Named, { agents }: HookAround): readonly HookFinding[] {
  const parsed = isPattern(named.name) ? parsePattern(named.name) : undefined
  const isKnown =
    parsed === undefined
      ? agents.has(named.name)
      : !("pattern" in parsed) || [...agents.keys()].some((name) => matchesName(parsed.pattern, name))
  if (isKnown) return []
  const message = `No agent is called ${JSON.stringify(named.name)}, so no run is ever one of it. ${knownNames(named.name, agents.keys())}`
  return [{ code: "hook-agent-unknown", severity: "warning", message, ...placeOf(named) }]
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
