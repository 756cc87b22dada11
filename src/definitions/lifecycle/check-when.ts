import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { toolInputs } from "../../agent/catalogue/tool-inputs.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { knownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { innerNodes } from "../../language/expression/inner-nodes.ts"
import type { NameUse } from "../../language/expression/names.ts"
import type { Comparison, Node } from "../../language/expression/node.ts"
import { namesOf } from "../../language/expression/parse/comprehension.ts"
import { parseTemplate, variablesOf } from "../../language/template/index.ts"
import { accessesIn, keyOf } from "./accesses-in.ts"
import { nobodyCalled, toolProblem } from "./check-names.ts"
import { type Constant, constantOf } from "./constant.ts"
import { type LifecycleEvent, offeredNames } from "./event-names.ts"
import type { EffectText, HookAround, HookFinding } from "./finding.ts"
import { isFor, type LifecycleHook } from "./hook.ts"
import { isPattern } from "./read-names.ts"

type Path = PlacedProblem["path"]

/** Conditions and texts that do not come to what they say: names that are null there, and what can never be so. */
export function checkWhen(
  hook: LifecycleHook,
  effects: readonly EffectText[],
  around: HookAround,
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
      const events = offeredNames.find((known) => known.name === name)?.events ?? []
      return {
        code: "hook-name-absent",
        severity: "warning",
        path,
        offset,
        length: name.length,
        message: `\`${name}\` is always null at ${event}. It is there at: ${[...events].join(", ")}.`,
      }
    })
}

/** Texts of effects are templates, all but commands. */
function absentInTexts({ type, value, path }: EffectText, event: LifecycleEvent): readonly HookFinding[] {
  if (type === "run") return []
  return textsIn(value, path).flatMap(({ text, path: at }) => {
    const parsed = parseTemplate(text)
    return parsed.type === "invalid" ? [] : absentNames(variablesOf(parsed), event, at)
  })
}

function textsIn(value: Json, path: Path): readonly { readonly text: string; readonly path: Path }[] {
  if (typeof value === "string") return /\{[{%]/.test(value) ? [{ text: value, path }] : []
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => textsIn(item, [...path, index]))
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : []
}

/** `tool_input.comand` and `run.agnt` are null, whatever happens, so a gate that asks for them never closes. */
function soughtInVain(node: Node, { tools }: LifecycleHook, path: Path): readonly HookFinding[] {
  const known =
    tools?.length && tools.every((tool) => Object.hasOwn(toolInputs, tool))
      ? tools.flatMap((tool) => toolInputs[tool]!)
      : undefined
  const missing = (name: string, key: string) => {
    if (plainNames.includes(name)) return `\`${name}\` is no record, so it has no ${JSON.stringify(key)}.`
    return name !== "tool_input" || !known || known.includes(key)
      ? undefined
      : `\`tool_input\` of ${tools!.join(", ")} has no ${JSON.stringify(key)}. ${knownNames(key, new Set(known))}`
  }
  return accessesIn(node).flatMap(({ name, links, offset }): readonly HookFinding[] => {
    const key = keyOf(links)
    const message = key === undefined ? undefined : missing(name, key)
    return message === undefined
      ? []
      : [{ code: "hook-invalid", severity: "error", path, offset, length: name.length, message }]
  })
}

/** Names that stand for a text or a number. */
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

/** `tool_name == "shell"` never holds: it is cadre's name of the tool. A loop may call its items the same: those are `own`. */
function comparedInVain(
  node: Node,
  path: Path,
  around: HookAround & { readonly hook: LifecycleHook },
  outer: readonly string[] = [],
): readonly HookFinding[] {
  const own =
    node.type === "comprehension"
      ? [...outer, ...node.clauses.flatMap(({ target }) => namesOf(target))]
      : outer
  const inner = innerNodes(node).flatMap((part) => comparedInVain(part, path, around, own))
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

/** Names that are compared with whole texts: a part of a text may be anything. */
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
  around: HookAround & { readonly hook: LifecycleHook },
): readonly HookFinding[] {
  const at = { path, offset, length: text.length + 2 }
  if (name === "tool_name") {
    const known = around.tools.has(text) ? undefined : lookUpTool(text)
    if (known?.type === "equivalent")
      return [
        {
          code: "hook-tool-unknown",
          severity: "error",
          message: `\`tool_name\` is never ${JSON.stringify(text)}: it is cadre's name of the tool. Write ${[known.name, ...(known.also ?? [])].map((one) => JSON.stringify(one)).join(" or ")}.`,
          ...at,
        },
      ]
    const problem = toolProblem(text, around)
    return problem ? [{ code: "hook-tool-unknown", ...problem, ...at }] : []
  }
  if ((name !== "agent" && name !== "subagent") || around.agents.has(text)) return []
  // A condition may well name somebody who is not here: only a slip is an error.
  return [{ ...nobodyCalled(text, around.hook, { ...around, of: "user" }), ...at }]
}

function neverFires(hook: LifecycleHook, around: HookAround): readonly HookFinding[] {
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
      `This hook never judges anything: it is only for runs of ${[...spared].join(", ")}, which it would spawn, and a hook spares those.`,
      path,
    )
  if (!when) return []
  const constant = constantFor(hook, judged)
  if (constant?.type === "false")
    return never(`This condition never holds at ${event}, so the hook does nothing.`, [...path, "when"])
  if (constant?.type !== "fails") return []
  return never(
    `This condition always fails: ${constant.why} A hook that blocks, runs a command, or spawns in place of a call or before it, then blocks whatever it is asked about; any other does nothing.`,
    [...path, "when"],
  )
}

/** More than that are not gone through. */
const mostValues = 1_000

/** What the condition comes to for every agent and tool that it can be asked about. */
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
  for (const known of combined(domains)) {
    const constant = constantOf(when!.node, { known: { event, ...known }, unknown })
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
