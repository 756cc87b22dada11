import { isMap, type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import { parseTemplate } from "../../language/template/index.ts"
import { readBlockRule, readBlockRules } from "../lifecycle/gobby/read-rules.ts"
import { type GobbyReading, readGobbyCondition, reportUnknownKeys } from "../lifecycle/gobby/reading.ts"
import type { LifecycleHook } from "../lifecycle/hook.ts"
import { parseNamePattern } from "../lifecycle/name-pattern.ts"
import { parseEffectTemplate } from "../lifecycle/read-effects.ts"
import type { WorkflowReading } from "./reading.ts"

/** Keys that only Gobby's workflows have. The reader of hooks reads the keys that say where a file applies. */
export const gobbyKeys: Readonly<Record<string, readonly string[]>> = {
  workflow: [
    ...["enabled", "priority", "sources", "triggers", "observers", "session_variables"],
    ...["tool_rules", "rule_definitions", "imports", "extends"],
    ...["mode", "internal", "inputs", "outputs", "file"],
  ],
  step: ["rules", "check_rules", "blocked_commands", "on_premature_stop"],
}

/** The rules of a workflow that block calls in every step. */
export function readWorkflowGates(workflow: JsonMap, reading: WorkflowReading): readonly LifecycleHook[] {
  const { tool_rules } = workflow
  return tool_rules === undefined
    ? []
    : readBlockRules(tool_rules, ["tool_rules"], "before_tool", gobbyReading(reading))
}

/** The rules that block calls in a step, besides its lists of tools. */
export function readStepGates(
  { rules, check_rules, blocked_commands }: JsonMap,
  workflow: JsonMap,
  reading: WorkflowReading,
): readonly LifecycleHook[] {
  const inner = gobbyReading(reading)
  return [
    ...listOf(rules, "rules", reading).flatMap((rule, index) => ruleOf(rule, index, inner)),
    ...listOf(check_rules, "check_rules", reading).flatMap((name, index) =>
      namedRule(name, index, workflow, reading),
    ),
    ...listOf(blocked_commands, "blocked_commands", reading).flatMap((command, index) =>
      commandGate(command, index, inner),
    ),
  ]
}

const gobbyReading = (reading: WorkflowReading): GobbyReading => ({
  of: `workflow ${reading.name}`,
  names: reading.names ?? [],
  undone: [],
  asksForBlocks: false,
  tell: (problem) => reading.tell(problem),
  note: (problem) => reading.tell({ ...problem, code: "workflow-unheard", severity: "warning" }),
})

function listOf(value: Json | undefined, key: string, { tell }: WorkflowReading): readonly Json[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  tell({ path: [key], message: `\`${key}\` must be a list, with a \`-\` before each entry.` })
  return []
}

/** Reads a rule of a step. `block` blocks, and so does `require_approval`; `warn` and `allow` do nothing. */
function ruleOf(rule: Json, index: number, reading: GobbyReading): readonly LifecycleHook[] {
  const path = ["rules", index]
  if (!isMap(rule)) {
    reading.tell({ path, message: "a rule of a step must be keys and values, with `when` and an `action`." })
    return []
  }
  reportUnknownKeys(
    "A rule of a step",
    rule,
    ["name", "description", "when", "action", "message"],
    path,
    reading,
  )
  const { action, message, when } = rule
  if (action === "warn" || action === "allow") {
    reading.note({
      path: [...path, "action"],
      message: `\`action: ${action}\` blocks nothing and has no other effect, as in Gobby.`,
    })
    return []
  }
  if (action !== "block" && action !== "require_approval")
    reading.tell({
      path: [...path, "action"],
      message: "`action` must be block, require_approval, warn or allow.",
    })
  const condition = readGobbyCondition(when, [...path, "when"], "gate", reading)
  const reason =
    message === undefined || message === null
      ? parseTemplate("A rule of this step blocks this call.")
      : parseEffectTemplate(
          message,
          (problem) => reading.tell({ ...problem, path: [...path, "message"] }),
          reading.names,
        )
  if (!reason || reason.type === "invalid") return []
  return [
    {
      name: `${reading.of}: ${path.join(".")}`,
      path,
      event: "before_tool",
      words: "gobby",
      ...(condition && { when: condition }),
      effects: [{ type: "block", reason }],
    },
  ]
}

/** Reads a rule that the workflow defines. An imported rule that is missing may forbid something, so it is an error. */
function namedRule(
  name: Json,
  index: number,
  { rule_definitions, imports }: JsonMap,
  reading: WorkflowReading,
): readonly LifecycleHook[] {
  const path = ["check_rules", index]
  const definitions = mapOf(rule_definitions ?? null)
  if (typeof name === "string" && Object.hasOwn(definitions, name))
    return readBlockRule(definitions[name]!, path, "before_tool", gobbyReading(reading))
  const files = Array.isArray(imports) ? imports.map((file) => `\`.gobby/rules/${String(file)}.yaml\``) : []
  reading.tell({
    path,
    code: "workflow-foreign",
    message: `the rule ${JSON.stringify(name)} is missing, so the workflow cannot be followed. ${
      files.length > 0
        ? `The file imports Gobby's own rules. Copy them to ${files.join(", ")}.`
        : "Write it below `rule_definitions`."
    }`,
  })
  return []
}

/** Reads a text that blocks every command that contains it, with `*` for anything. */
function commandGate(command: Json, index: number, reading: GobbyReading): readonly LifecycleHook[] {
  const path = ["blocked_commands", index]
  const { pattern, reason } = typeof command === "string" ? { pattern: command } : mapOf(command)
  if (isMap(command)) reportUnknownKeys("A blocked command", command, ["pattern", "reason"], path, reading)
  const parsed =
    typeof pattern === "string" && pattern.trim() !== "" ? parseNamePattern(loose(pattern)) : undefined
  const text =
    reason === undefined
      ? parseTemplate("This command is blocked in this step.")
      : parseEffectTemplate(
          reason,
          (problem) => reading.tell({ ...problem, path: [...path, "reason"] }),
          reading.names,
        )
  if (!parsed || !("pattern" in parsed)) {
    reading.tell({ path, message: "a blocked command needs a `pattern`, a text that the command contains." })
    return []
  }
  if (!text || text.type === "invalid") return []
  return [
    {
      name: `${reading.of}: ${path.join(".")}`,
      path,
      event: "before_tool",
      words: "gobby",
      tools: ["Bash"],
      commands: { found: parsed.pattern },
      effects: [{ type: "block", reason: text }],
    },
  ]
}

const loose = (pattern: string): string =>
  pattern
    .trim()
    .replace(/[\\^$.*+?()[\]{}|]/g, (character) => (character === "*" ? ".*" : `\\${character}`))
    .replace(/(?:\s+\.\*)+$/, "")
    .replace(/\s+/g, "\\s+")
