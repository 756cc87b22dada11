import path from "node:path"
import type { Locate } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { locateYaml, readYaml } from "../formats/yaml.ts"
import type { Json } from "../message.ts"
import type { HookSet } from "./source.ts"

/** A file of hooks as it lies there. */
interface Place {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
}

/** What a file says, and its content for whoever asks whether it is trusted. Nothing where it holds no hooks. */
export interface FileOfHooks {
  readonly hash?: string
  readonly set?: HookSet
}

/** A file that cannot be read is a set that cannot be followed: it might have forbidden something. */
export function readHookFile({ file, of, format }: Place): FileOfHooks {
  if (format === "workflow") return {}
  const name = path.basename(file).replace(/\.ya?ml$/, "")
  const reading = readSourceFile(file)
  if (reading.type === "refused")
    return { set: { name, of, file, hooks: `its file cannot be read: ${reading.problem.message}` } }
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid")
    return format === "gobby"
      ? { hash }
      : { hash, set: { name, of, file, hooks: `it is no YAML: ${yaml.message}` } }
  if (format === "gobby") return { hash, ...gobbySet(yaml.value, { name, of, file }) }
  const { name: said, description: _, picked_only, hooks, ...events } = mapOf(yaml.value)
  return {
    hash,
    set: {
      name: typeof said === "string" ? said : name,
      of,
      file,
      ...(picked_only === true && { pickedOnly: true }),
      ...(isMap(yaml.value) && hooks !== undefined && hooks !== null
        ? { hooks, keysOf: (path) => ["hooks", ...path] }
        : { hooks: isMap(yaml.value) ? events : yaml.value }),
    },
  }
}

/** Looks places up in the text of a YAML file. */
export function placesIn(text: string): Locate {
  const locate = locateYaml(text)
  return (place) => {
    if (place.type === "key" || place.type === "value") return locate(place.path, place.type)
    if (place.type !== "inside") return undefined
    const span = locate(place.path, "value")
    if (!span) return undefined
    const written = text.slice(span.start, span.end)
    const at = written
      .split(place.text)
      .slice(0, place.occurrence + 1)
      .join(place.text).length
    return { start: span.start + at, end: span.start + at + place.text.length }
  }
}

/** Gobby's files hold much else, and actions of its own: of those only what is an effect here is taken. */
function gobbySet(
  value: Json,
  { name, of, file }: Pick<HookSet, "name" | "of" | "file">,
): Pick<FileOfHooks, "set"> {
  const { triggers, name: said, ...keys } = mapOf(value)
  const inner = mapOf(triggers)
  // Of a workflow, what begins with `on_` is for its steps.
  const own = "steps" in keys ? {} : keys
  const found = Object.entries({ ...own, ...inner }).flatMap(([key, entries]) => {
    const known = key.startsWith("on_") && Array.isArray(entries) ? entries.entries() : []
    const taken = [...known].filter(([, entry]) => hasEffect(entry))
    return taken.length > 0 ? [[key, taken] as const] : []
  })
  if (found.length === 0) return {}
  const indexes = new Map(found.map(([key, taken]) => [key, taken.map(([index]) => index)]))
  return {
    set: {
      name: typeof said === "string" ? said : name,
      of,
      ...(file !== undefined && { file }),
      hooks: Object.fromEntries(found.map(([key, taken]) => [key, taken.map(([, entry]) => entry)])),
      keysOf: ([key, ...path]) => [
        ...(key !== undefined && Object.hasOwn(inner, key) ? ["triggers"] : []),
        ...(key === undefined ? [] : [key]),
        ...path.map((step, at) => (at === 0 ? (indexes.get(String(key))?.[Number(step)] ?? step) : step)),
      ],
    },
  }
}

const gobbyEffects = ["block", "spawn_agent", "set_variable", "inject_context", "rewrite_input", "load_skill"]
const hasEffect = (entry: Json): boolean => gobbyEffects.some((name) => name in mapOf(entry))

const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapOf = (value: Json | undefined): { readonly [key: string]: Json } => (isMap(value) ? value : {})
