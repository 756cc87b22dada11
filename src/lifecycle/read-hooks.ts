import { lookUpTool } from "../catalogue/look-up.ts"
import { knownNames } from "../errors.ts"
import type { Json } from "../message.ts"
import { type LifecycleEvent, lifecycleEvents } from "./event-names.ts"
import type { HookProblem, LifecycleHook } from "./hook.ts"
import { effectNames, readEffects } from "./read-effects.ts"
import { readWhen } from "./when.ts"

export interface ReadHooks {
  readonly hooks: readonly LifecycleHook[]
  readonly problems: readonly HookProblem[]
}

type Path = HookProblem["path"]
type Entry = { readonly [key: string]: Json }

/**
 * Reads hooks by event, as cadre (`before_tool:`) and Gobby (`on_before_tool:`) write them, or as a list of entries that
 * name their `event`. Never throws. `of` names the place, and the hooks after it.
 */
export function readHooks(value: Json, of: string): ReadHooks {
  const hooks: LifecycleHook[] = []
  const problems: HookProblem[] = []
  const report = (problem: HookProblem) => void problems.push(problem)
  for (const { event, entry, path } of entriesOf(value, report)) {
    const hook = readEntry(entry, event, { of, path, report })
    if (hook) hooks.push(hook)
  }
  return { hooks, problems }
}

interface Place {
  readonly event: LifecycleEvent
  readonly entry: Entry
  readonly path: Path
}

type Report = (problem: HookProblem) => void

function entriesOf(value: Json, report: Report): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap((entry: Json, index) => listed(entry, [index], report))
  if (!isMap(value)) {
    const said = typeof value === "string" ? `${value} ` : ""
    report({ path: [], message: `${said}hooks are lists by event. Known: ${eventNames.join(", ")}.` })
    return []
  }
  return Object.entries(value).flatMap(([key, entries]) => {
    if (claudeEvents.includes(key)) return claudeEntries(key, entries, report)
    const event = eventOf(key)
    if (!event) {
      report({
        path: [key],
        about: "key",
        message: `There is no event ${JSON.stringify(key)}. ${knownNames(key, eventNames)}`,
      })
      return []
    }
    const list = Array.isArray(entries) ? entries : [entries]
    return list.flatMap((entry: Json, index): readonly Place[] => {
      const path = Array.isArray(entries) ? [key, index] : [key]
      if (isMap(entry)) return [{ event, entry, path }]
      report({ path, message: `a hook has \`when\` and an effect: ${effectNames.join(", ")}.` })
      return []
    })
  })
}

/** Claude Code's events; of those that none of ours is, nothing is done. */
const claudeEvents =
  "PreToolUse PostToolUse Stop SubagentStop SubagentStart Notification UserPromptSubmit SessionStart SessionEnd PreCompact".split(
    " ",
  )

const claudeNames: Readonly<Record<string, LifecycleEvent>> = {
  PreToolUse: "before_tool",
  PostToolUse: "after_tool",
}

/** Matchers with commands: each is a hook that runs one. */
function claudeEntries(key: string, entries: Json, report: Report): readonly Place[] {
  const event = claudeNames[key]
  if (!event) return []
  return (Array.isArray(entries) ? entries : [entries]).flatMap((group: Json, index): readonly Place[] => {
    const { matcher = "*", hooks = [] } = isMap(group) ? group : {}
    return (Array.isArray(hooks) ? hooks : [hooks]).flatMap((hook: Json, at): readonly Place[] => {
      const path = [key, index, "hooks", at]
      const { type = "command", command, timeout } = isMap(hook) ? hook : {}
      if (type === "command")
        return [
          {
            event,
            path,
            entry: {
              tools: matcher,
              run: { command: command ?? null, ...(timeout !== undefined && { timeout }) },
            },
          },
        ]
      report({ path, message: `a hook of the type ${JSON.stringify(type)} cannot be followed; command can.` })
      return []
    })
  })
}

/** An entry that says itself when it is asked, as Gobby's rules do. */
function listed(value: Json, path: Path, report: Report): readonly Place[] {
  const { event: named, ...entry } = isMap(value) ? value : {}
  const event = typeof named === "string" ? eventOf(named) : undefined
  if (event) return [{ event, entry, path }]
  report({
    path,
    message: `a hook in a list names its \`event\`. ${knownNames(String(named ?? ""), eventNames)}`,
  })
  return []
}

const entryKeys = ["name", "description", "when", "tools"]

function readEntry(
  entry: Entry,
  event: LifecycleEvent,
  { of, path, report }: { readonly of: string; readonly path: Path; readonly report: Report },
): LifecycleHook | undefined {
  const { name, description: _, when, tools, ...written } = entry
  const found: HookProblem[] = []
  const tell = (problem: HookProblem) => void found.push({ ...problem, path: [...path, ...problem.path] })
  if (name !== undefined && (typeof name !== "string" || name.trim() === ""))
    tell({ path: ["name"], message: "a name is a text." })
  const condition = when === undefined || when === null ? undefined : conditionOf(when, tell)
  const filter = tools === undefined || tools === null ? undefined : toolsOf(tools, tell)
  const effects = readEffects(written, entryKeys, tell)
  if (event === "after_tool")
    for (const { type } of effects)
      if (type === "spawn_agent" || type === "rewrite_input")
        tell({ path: [type], message: `\`${type}\` comes too late at after_tool: the call has run.` })
  for (const problem of found) report(problem)
  if (found.length > 0) return undefined
  return {
    name: `${of}: ${typeof name === "string" ? name : path.join(".")}`,
    path,
    event,
    ...(filter && { tools: filter }),
    ...(condition && { when: condition }),
    effects,
  }
}

function conditionOf(when: Json, tell: Report): LifecycleHook["when"] {
  if (typeof when !== "string") {
    tell({ path: ["when"], message: 'a condition is a text, such as tool_name == "Bash".' })
    return undefined
  }
  const read = readWhen(when)
  if ("condition" in read) return read.condition
  for (const { message, offset } of read.problems) tell({ path: ["when"], message, offset })
  return undefined
}

/** Names, or Claude's way to write them, with `|` between them. `*` is every tool. */
function toolsOf(tools: Json, tell: Report): readonly string[] | undefined {
  const names = (Array.isArray(tools) ? tools : String(tools).split(/[|,]/)).map((name) =>
    String(name).trim(),
  )
  if (names.some((name) => name === "*" || name === "")) return undefined
  return names.flatMap((name) => {
    const known = lookUpTool(name)
    if (known.type === "equivalent") return [known.name, ...(known.also ?? [])]
    if (/^[A-Za-z0-9_-]+$/.test(name)) return [name]
    tell({
      path: ["tools"],
      message: `${JSON.stringify(name)} is no name of a tool; names stand one by one, with | between them.`,
    })
    return []
  })
}

const eventNames = Object.keys(lifecycleEvents) as readonly LifecycleEvent[]

/** Gobby's names, which begin with `on_`; its sessions are our runs. */
function eventOf(key: string): LifecycleEvent | undefined {
  const name = key.replace(/^on_/, "").replace(/^session_/, "run_")
  return eventNames.find((event) => event === name)
}

const isMap = (value: Json | undefined): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value)
