import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { toolInputs } from "../../agent/catalogue/tool-inputs.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { listInnerNodes } from "../../language/expression/inner-nodes.ts"
import type { NameUse } from "../../language/expression/names.ts"
import type { Comparison, Node } from "../../language/expression/node.ts"
import { listLoopNames } from "../../language/expression/parse/comprehension.ts"
import { listUsedVariables, parseTemplate } from "../../language/template/index.ts"
import { getAccessedKey, listNameAccesses } from "./accesses-in.ts"
import { findToolProblem, reportUnknownAgent } from "./check-names.ts"
import { type Constant, evaluateConstant } from "./constant.ts"
import { type LifecycleEvent, offeredNames } from "./event-names.ts"
import type { EffectText, HookFacts, HookFinding } from "./finding.ts"
import { isFor, type LifecycleHook } from "./hook.ts"
import { isPattern } from "./read-names.ts"

type Path = PlacedProblem["path"]

/** Finds conditions and texts that cannot work: names that are always null at the event, and comparisons that never hold. */
export function checkWhen(
  hook: LifecycleHook,
  effects: readonly EffectText[],
  around: HookFacts,
): readonly HookFinding[] {
  const { when, event, path } = hook
  const at: Path = [...path, "when"]
  return [
    ...(when ? absentNames(when.names, event, at) : []),
    ...effects.flatMap((effect) => absentInTexts(effect, event)),
    ...(when ? comparedInVain(when.node, at, { ...around, hook }) : []),
    ...(when ? soughtInVain(when.node, hook, at) : []),
    ...neverFires(hook, around),
  ]
}

const offeredAt = (event: LifecycleEvent): readonly string[] =>
  offeredNames.filter(({ events }) => events === "all" || events.includes(event)).map(({ name }) => name)

function absentNames(uses: readonly NameUse[], event: LifecycleEvent, path: Path): readonly HookFinding[] {
  const offered = offeredAt(event)
  return uses
    .filter(({ name }) => !offered.includes(name))
    .map(({ name, offset }) => {
      const events = offeredNames.find((offered) => offered.name === name)?.events ?? []
      return {
        code: "hook-name-absent",
        severity: "warning",
        path,
        offset,
        length: name.length,
        message: `\`${name}\` is always null at ${event}. Events that provide it: ${[...events].join(", ")}.`,
      }
    })
}

/** All texts of effects are templates, except commands. */
function absentInTexts({ type, value, path }: EffectText, event: LifecycleEvent): readonly HookFinding[] {
  if (type === "run") return []
  return textsIn(value, path).flatMap(({ text, path: at }) => {
    const parsed = parseTemplate(text)
    return parsed.type === "invalid" ? [] : absentNames(listUsedVariables(parsed), event, at)
  })
}

function textsIn(value: Json, path: Path): readonly { readonly text: string; readonly path: Path }[] {
  if (typeof value === "string") return /\{[{%]/.test(value) ? [{ text: value, path }] : []
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, [...path, index]))
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : []
}

/** Finds keys that never exist, such as `tool_input.comand` and `run.agnt`. A gate on such a key never blocks. */
function soughtInVain(node: Node, { tools }: LifecycleHook, path: Path): readonly HookFinding[] {
  const knownKeys =
    tools?.length && tools.every((tool) => Object.hasOwn(toolInputs, tool))
      ? tools.flatMap((tool) => toolInputs[tool]!)
      : undefined
  const missing = (name: string, key: string) => {
    if (plainNames.includes(name))
      return `\`${name}\` is a text or a number, so it has no ${JSON.stringify(key)}.`
    return name !== "tool_input" || !knownKeys || knownKeys.includes(key)
      ? undefined
      : `\`tool_input\` of ${tools!.join(", ")} has no ${JSON.stringify(key)}. ${listKnownNames(key, new Set(knownKeys))}`
  }
  return listNameAccesses(node).flatMap(({ name, links, offset }): readonly HookFinding[] => {
    const key = getAccessedKey(links)
    const message = key === undefined ? undefined : missing(name, key)
    return message === undefined
      ? []
      : [{ code: "hook-invalid", severity: "error", path, offset, length: name.length, message }]
  })
}

/** Names whose value is a text or a number. */
const plainNames = [
  "agent",
  "run",
  "depth",
  "parent",
  "task",
  "turn",
  "workflow",
  "step",
  "current_step",
  "tool_name",
  "command",
  "subagent",
]

/** Finds comparisons that never hold, such as `tool_name == "shell"`. Loop variables (`own`) may have the same names. */
function comparedInVain(
  node: Node,
  path: Path,
  around: HookFacts & { readonly hook: LifecycleHook },
  outer: readonly string[] = [],
): readonly HookFinding[] {
  const own =
    node.type === "comprehension"
      ? [...outer, ...node.clauses.flatMap(({ target }) => listLoopNames(target))]
      : outer
  const inner = listInnerNodes(node).flatMap((part) => comparedInVain(part, path, around, own))
  if (node.type !== "comparison") return inner
  const lefts = [node.first, ...node.rest.map(({ operand }) => operand)]
  return [
    ...inner,
    ...node.rest.flatMap(({ operator, operand: right }, index) =>
      compared(lefts[index]!, operator, right)
        .filter(({ name }) => !own.includes(name))
        .flatMap(({ name, texts }) => texts.flatMap((text) => comparison(name, text, path, around))),
    ),
  ]
}

/** Names that are compared with whole texts. A part of a text may be anything, so it is not checked. */
function compared(left: Node, operator: Comparison, right: Node) {
  const pairs =
    operator === "==" || operator === "!="
      ? [
          [left, right],
          [right, left],
        ]
      : []
  const isListed = (operator === "in" || operator === "not in") && right.type !== "literal"
  return [...pairs, ...(isListed ? [[left, right]] : [])].flatMap(([name, texts]) =>
    name?.type === "name" ? [{ name: name.name, texts: textsOf(texts!) }] : [],
  )
}

interface Written {
  readonly text: string
  readonly offset: number
}

function textsOf(node: Node): readonly Written[] {
  if (node.type === "list" || node.type === "tuple" || node.type === "set") return node.items.flatMap(textsOf)
  return node.type === "literal" && typeof node.value === "string"
    ? [{ text: node.value, offset: node.offset }]
    : []
}

function comparison(
  name: string,
  { text, offset }: Written,
  path: Path,
  around: HookFacts & { readonly hook: LifecycleHook },
): readonly HookFinding[] {
  const at = { path, offset, length: text.length + 2 }
  if (name === "tool_name") {
    const knownTool = around.tools.has(text) ? undefined : lookUpTool(text)
    if (knownTool?.type === "equivalent")
      return [
        {
          code: "hook-tool-unknown",
          severity: "error",
          message: `\`tool_name\` is never ${JSON.stringify(text)}, because it is always cadre's name of the tool. Write ${[knownTool.name, ...(knownTool.also ?? [])].map((one) => JSON.stringify(one)).join(" or ")}.`,
          ...at,
        },
      ]
    const problem = findToolProblem(text, around)
    return problem ? [{ code: "hook-tool-unknown", ...problem, ...at }] : []
  }
  if ((name !== "agent" && name !== "subagent") || around.agents.has(text)) return []
  // A condition may name an agent that does not exist here, so only a typo is an error.
  return [{ ...reportUnknownAgent(text, around.hook, { ...around, of: "user" }), ...at }]
}

function neverFires(hook: LifecycleHook, around: HookFacts): readonly HookFinding[] {
  const { when, path, event, effects } = hook
  const never = (message: string, at: Path): readonly HookFinding[] => [
    { code: "hook-never", severity: "warning", path: at, message },
  ]
  const spared = new Set(
    effects.flatMap((effect) => (effect.type === "spawn_agent" ? [around.agents.get(effect.agent)] : [])),
  )
  const judged = around.holders.filter((agent) => !spared.has(agent) && isFor(hook, { agent }))
  const isSpared = around.holders.some((agent) => spared.has(agent) && isFor(hook, { agent }))
  if (judged.length === 0 && isSpared)
    return never(
      `This hook never does anything: it is only for runs of ${[...spared].join(", ")}, which it spawns itself. A hook does not apply to agents that it spawns.`,
      path,
    )
  if (!when) return []
  const constant = constantFor(hook, judged)
  if (constant?.type === "false")
    return never(`This condition never holds at ${event}, so the hook does nothing.`, [...path, "when"])
  if (constant?.type !== "fails") return []
  return never(
    `This condition always fails: ${constant.why} So the hook always blocks if it can block, run a command, or spawn an agent before or in place of a call. Any other hook does nothing.`,
    [...path, "when"],
  )
}

/** The most combinations of values that are tried. */
const mostValues = 1_000

/** The result of the condition, if it is the same for every agent and tool that the hook applies to. */
function constantFor({ when, event, tools }: LifecycleHook, judged: readonly string[]): Constant | undefined {
  const used = new Set(when!.names.map(({ name }) => name))
  const domains = [
    ...(used.has("agent") && judged.length > 0 ? [["agent", judged] as const] : []),
    ...(used.has("tool_name") && tools && !tools.some(isPattern) ? [["tool_name", tools] as const] : []),
  ]
  if (domains.reduce((count, [, values]) => count * values.length, 1) > mostValues) return undefined
  const unknown = new Set(offeredAt(event).filter((name) => name !== "event"))
  for (const [name] of domains) unknown.delete(name)
  let all: Constant | undefined
  for (const values of combined(domains)) {
    const constant = evaluateConstant(when!.node, { values: { event, ...values }, unknown })
    if (!constant || constant.type === "true" || (all && all.type !== constant.type)) return undefined
    all = constant
  }
  return all
}

type Domain = readonly [name: string, values: readonly string[]]

const combined = ([first, ...rest]: readonly Domain[]): readonly Readonly<Record<string, string>>[] =>
  first
    ? first[1].flatMap((value) => combined(rest).map((others) => ({ [first[0]]: value, ...others })))
    : [{}]
