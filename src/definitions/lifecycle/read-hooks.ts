import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { isCallEvent, type LifecycleEvent, lifecycleEvents } from "./event-names.ts"
import { readGobbyWhen } from "./gobby/conditions.ts"
import type { LifecycleHook } from "./hook.ts"
import { claudeEvents, convertClaudeEntries, type HookContainer, toClaudePath } from "./read-claude.ts"
import { effectNames, readEffects } from "./read-effects.ts"
import { readNames } from "./read-names.ts"
import { findUnfitEffects } from "./unfit-effects.ts"
import { readWhen } from "./when.ts"

export interface ParsedHooks {
  readonly hooks: readonly LifecycleHook[]
  readonly problems: readonly PlacedProblem[]
}

type Path = PlacedProblem["path"]
type Entry = { readonly [key: string]: Json }

/**
 * Reads hooks by event, as cadre (`before_tool:`), Gobby (`on_before_tool:`) and Claude Code (`PreToolUse:`) write them, or
 * as a list of entries with an `event`. The value of `of` is the beginning of each hook's name. With `names`, conditions
 * are in Gobby's language and may use these names. Never throws.
 */
export function readHooks(
  value: Json,
  of: string,
  container: HookContainer = "set",
  names?: readonly string[],
): ParsedHooks {
  const hooks: LifecycleHook[] = []
  const problems: PlacedProblem[] = []
  const report = (problem: PlacedProblem) => void problems.push(problem)
  for (const { event, entry, path, meant } of entriesOf(value, container, report)) {
    const reportAt: Report = meant
      ? (problem) => report({ ...problem, path: toClaudePath(problem.path) })
      : report
    const hook = readEntry(entry, event, { of, path, report: reportAt, ...(names && { names }) })
    if (hook) hooks.push({ ...hook, ...meant })
  }
  return { hooks, problems }
}

/** One entry of a file, with its event. */
interface EventEntry {
  readonly event: LifecycleEvent
  readonly entry: Entry
  readonly path: Path
  /** The fields that an entry in Claude Code's form sets itself. They override those of the hook. */
  readonly meant?: Partial<LifecycleHook>
}

type Report = (problem: PlacedProblem) => void

function entriesOf(value: Json, container: HookContainer, report: Report): readonly EventEntry[] {
  if (Array.isArray(value))
    return value.flatMap((entry: Json, index) => readListEntry(entry, [index], report))
  if (!isMap(value)) {
    // A text is the reason why the file could not be read.
    const prefix = typeof value === "string" ? `${value} ` : ""
    report({ path: [], message: `${prefix}hooks must be lists by event. Known: ${eventNames.join(", ")}.` })
    return []
  }
  return Object.entries(value).flatMap(([key, entries]): readonly EventEntry[] => {
    if (claudeEvents.includes(key)) return convertClaudeEntries(key, entries, container, report)
    const event = eventOf(key)
    if (!event) {
      report({
        path: [key],
        about: "key",
        message:
          misusedKeys[key] ??
          `There is no event ${JSON.stringify(key)}. ${listKnownNames(key.replace(/^on_/, ""), eventNames)}`,
      })
      return []
    }
    const list = Array.isArray(entries) ? entries : [entries]
    if (list.length === 0 && container === "set")
      report({ path: [key], message: `\`${key}\` has no hooks. Write a hook, or remove the key.` })
    return list.flatMap((entry: Json, index): readonly EventEntry[] => {
      const path = Array.isArray(entries) ? [key, index] : [key]
      if (isMap(entry)) return [{ event, entry, path }]
      report({ path, message: `a hook must be keys and values, with an effect: ${effectNames.join(", ")}.` })
      return []
    })
  })
}

/**
 * Messages for two keys of hook files that are not events. The reader of hook files removes both if they are correct, so
 * only wrong ones arrive here.
 */
const misusedKeys: Readonly<Record<string, string>> = {
  hooks: "`hooks` must contain all hooks of the file. Move the other events of the file into `hooks`.",
  picked_only: "`picked_only` is not an event. In a file of hooks, it must be true or false.",
}

/** Reads an entry that names its event, like Gobby's rules. */
function readListEntry(value: Json, path: Path, report: Report): readonly EventEntry[] {
  const { event: named, ...entry } = isMap(value) ? value : {}
  const event = typeof named === "string" ? eventOf(named) : undefined
  if (event) return [{ event, entry, path }]
  report({
    path,
    message: `a hook in a list must name its \`event\`. ${listKnownNames(String(named ?? "").replace(/^on_/, ""), eventNames)}`,
  })
  return []
}

interface EntryPlace {
  readonly of: string
  readonly path: Path
  readonly report: Report
  readonly names?: readonly string[]
}

const entryKeys = ["name", "description", "when", "tools", "agents"]

function readEntry(
  entry: Entry,
  event: LifecycleEvent,
  { of, path, report, names: knownNames }: EntryPlace,
): LifecycleHook | undefined {
  const { name, description: _, when, tools, agents, ...written } = entry
  const entryProblems: PlacedProblem[] = []
  const tell = (problem: PlacedProblem) =>
    void entryProblems.push({ ...problem, path: [...path, ...problem.path] })
  if (name !== undefined && (typeof name !== "string" || name.trim() === ""))
    tell({ path: ["name"], message: "a name must be text." })
  const condition = when === undefined ? undefined : conditionOf(when, tell, knownNames)
  const names = readNames({ tools, agents }, tell)
  if (names.tools && !isCallEvent(event))
    tell({
      path: ["tools"],
      about: "key",
      message: `\`tools\` has no meaning at ${event}, which is not about a call.`,
    })
  const effects = readEffects(
    written,
    { event, otherKeys: entryKeys, ...(knownNames && { names: knownNames }) },
    tell,
  )
  for (const problem of findUnfitEffects(event, effects)) tell(problem)
  for (const problem of entryProblems) report(problem)
  if (entryProblems.length > 0) return undefined
  return {
    name: `${of}: ${typeof name === "string" ? name : path.join(".")}`,
    path,
    event,
    ...names,
    ...(condition && { when: condition }),
    effects,
  }
}

function conditionOf(when: Json, tell: Report, names?: readonly string[]): LifecycleHook["when"] {
  if (typeof when !== "string" && typeof when !== "boolean") {
    tell({
      path: ["when"],
      message:
        'a condition must be text, such as tool_name == "Bash". Remove `when` if the hook should always apply.',
    })
    return undefined
  }
  const read = names ? readGobbyWhen(String(when), names) : readWhen(String(when))
  const problems = "problems" in read ? read.problems : read.unknown
  for (const { message, offset, length = 1 } of problems) tell({ path: ["when"], message, offset, length })
  return "condition" in read ? read.condition : undefined
}

const eventNames = Object.keys(lifecycleEvents) as readonly LifecycleEvent[]

/** The event of a key. Gobby's names begin with `on_`, and its sessions are our runs. */
function eventOf(key: string): LifecycleEvent | undefined {
  const name = key
    .replace(/^on_/, "")
    .replace(/^session_/, "run_")
    .replace(/^before_agent$/, "run_start")
  return eventNames.find((event) => event === name)
}
