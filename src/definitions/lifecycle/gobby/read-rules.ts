import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import { parseTemplate } from "../../../language/template/index.ts"
import type { LifecycleEvent } from "../event-names.ts"
import type { HookEffect, LifecycleHook } from "../hook.ts"
import { type NamePattern, parseNamePattern } from "../name-pattern.ts"
import { parseEffectTemplate } from "../read-effects.ts"
import { readNames } from "../read-names.ts"
import { type GobbyKeyPath, type GobbyReading, readGobbyCondition, reportUnknownKeys } from "./reading.ts"

const ruleKeys = [
  ...["name", "description", "tools", "mcp_tools", "when", "reason"],
  ...["action", "command_pattern", "command_not_pattern"],
]

/** Reads a list of rules that block calls: the `rules` of `block_tools`, or `tool_rules`. */
export function readBlockRules(
  rules: Json | undefined,
  path: GobbyKeyPath,
  event: LifecycleEvent,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  if (Array.isArray(rules) && rules.length > 0)
    return rules.flatMap((rule: Json, index) => readBlockRule(rule, [...path, index], event, reading))
  reading.tell({
    path,
    message: "rules that block calls must be a list of at least one rule, with a `-` before each.",
  })
  return []
}

/** Reads a rule as a hook. A rule for both tools and MCP tools becomes two hooks. */
export function readBlockRule(
  rule: Json,
  path: GobbyKeyPath,
  event: LifecycleEvent,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  if (!isMap(rule)) {
    reading.tell({
      path,
      message: "a rule that blocks calls must be keys and values, with `tools` and a `reason`.",
    })
    return []
  }
  reportUnknownKeys("A rule that blocks calls", rule, ruleKeys, path, reading)
  const { action = "block", when, reason } = rule
  if (action === "allow" || action === "warn") {
    reading.note({
      path: [...path, "action"],
      message: `\`action: ${action}\` blocks nothing and has no other effect, as in Gobby.`,
    })
    return []
  }
  if (action !== "block")
    reading.tell({ path: [...path, "action"], message: "`action` must be block, allow or warn." })
  const condition = readGobbyCondition(when, [...path, "when"], "gate", reading)
  const text =
    reason === undefined
      ? parseTemplate("Tool '{{ tool_name }}' is blocked.")
      : parseEffectTemplate(
          reason,
          (problem) => reading.tell({ ...problem, path: [...path, "reason"] }),
          reading.names,
        )
  if (!text || text.type === "invalid") return []
  const commands = commandsOf(rule, path, reading)
  const hook = {
    path,
    event,
    words: "gobby" as const,
    ...(commands && { commands }),
    ...(condition && { when: condition }),
  }
  const block: HookEffect = { type: "block", reason: text }
  return filtersOf(rule, path, reading).flatMap((filter, index) => {
    const name = `${reading.of}: ${path.join(".")}${index > 0 ? " (servers)" : ""}`
    const blocking: LifecycleHook = { ...hook, ...filter, name, effects: [block] }
    // A hook that blocks cannot set variables, so a second hook before it records the block.
    return reading.asksForBlocks && event === "before_tool"
      ? [{ ...blocking, name: `${name} (noted)`, effects: [noting] }, blocking]
      : [blocking]
  })
}

const noting: HookEffect = {
  type: "set_variable",
  name: "_tool_block_pending",
  value: { type: "literal", value: true },
}

type Filter = Pick<LifecycleHook, "tools" | "patterns" | "mcpTools">

function filtersOf(rule: JsonMap, path: GobbyKeyPath, reading: GobbyReading): readonly Filter[] {
  const { tools, mcp_tools } = rule
  if (tools === undefined && mcp_tools === undefined) {
    reading.tell({
      path,
      message: "a rule that blocks calls needs `tools` or `mcp_tools`. Without them it would block nothing.",
    })
    return []
  }
  const names =
    tools === undefined
      ? undefined
      : readNames({ tools, agents: undefined }, (problem) =>
          reading.tell({ ...problem, path: [...path, ...problem.path] }),
        )
  return [...(names ? [withPatches(names)] : []), ...serverFilter(mcp_tools, [...path, "mcp_tools"], reading)]
}

/** A rule that forbids editing or writing also forbids patches, a tool that Gobby does not have. */
const withPatches = (names: Filter): Filter =>
  names.tools?.some((name) => name === "Edit" || name === "Write")
    ? { ...names, tools: [...new Set([...names.tools, "ApplyPatch"])] }
    : names

function serverFilter(
  names: Json | undefined,
  path: GobbyKeyPath,
  { tell }: GobbyReading,
): readonly Filter[] {
  if (names === undefined) return []
  const list = Array.isArray(names) ? (names as readonly Json[]) : [names]
  const wrong = list.findIndex((name) => typeof name !== "string" || !/^[^:\s]+:\S+$/.test(name))
  if (list.length > 0 && wrong < 0) return [{ mcpTools: list as readonly string[] }]
  tell({
    path: Array.isArray(names) && wrong >= 0 ? [...path, wrong] : path,
    message: "`mcp_tools` must name tools of MCP servers, as `server:tool` or `server:*`.",
  })
  return []
}

function commandsOf(rule: JsonMap, path: GobbyKeyPath, reading: GobbyReading): LifecycleHook["commands"] {
  const pattern = patternOf(rule, "command_pattern", path, reading)
  const without = patternOf(rule, "command_not_pattern", path, reading)
  return pattern || without ? { ...(pattern && { found: pattern }), ...(without && { without }) } : undefined
}

function patternOf(
  rule: JsonMap,
  key: "command_pattern" | "command_not_pattern",
  path: GobbyKeyPath,
  { tell }: GobbyReading,
): NamePattern | undefined {
  const text = rule[key]
  if (text === undefined) return undefined
  const parsed =
    typeof text === "string" && text !== ""
      ? parseNamePattern(text, "python")
      : { problem: "a text is needed here", offset: undefined }
  if ("pattern" in parsed) return parsed.pattern
  const { problem, offset } = parsed
  tell({
    path: [...path, key],
    message: `invalid or unsupported regular expression: ${problem}.`,
    ...(offset !== undefined && { offset }),
  })
  return undefined
}
