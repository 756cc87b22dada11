import path from "node:path"
import { readSourceFile } from "../formats/source.ts"
import { readYaml } from "../formats/yaml.ts"
import { isMap, type Json, mapOf } from "../message.ts"
import type { HookSet } from "./source.ts"

/** A file of hooks as it lies there. */
interface Place {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  readonly boundary?: string
}

/** What a file says, and its content for whoever asks whether it is trusted. Nothing where it holds no hooks. */
export interface FileOfHooks {
  readonly hash?: string
  readonly set?: HookSet
}

/** A file that cannot be read is a set that cannot be followed: it might have forbidden something. */
export function readHookFile({ file, of, format, boundary }: Place): FileOfHooks {
  if (format === "workflow") return {}
  const name = path.basename(file).replace(/\.ya?ml$/, "")
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused")
    return { set: { name, of, file, hooks: `its file cannot be read: ${reading.problem.message}` } }
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid")
    return format === "gobby"
      ? { hash }
      : { hash, set: { name, of, file, hooks: `it is no YAML: ${yaml.message}` } }
  if (format === "gobby") return { hash, ...gobbySet(yaml.value, { name, of, file }) }
  const { name: said, description: _, picked_only, ...rest } = mapOf(yaml.value)
  const events =
    picked_only === undefined || typeof picked_only === "boolean" ? rest : { ...rest, picked_only }
  const { hooks } = events
  return {
    hash,
    set: {
      name: typeof said === "string" ? said : name,
      of,
      file,
      ...(picked_only === true && { pickedOnly: true }),
      ...(hooks !== undefined && hooks !== null && Object.keys(events).length === 1
        ? { hooks, keysOf: (path) => ["hooks", ...path] }
        : { hooks: isMap(yaml.value) ? events : yaml.value }),
    },
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
    const taken = [...known].flatMap(([index, entry]) =>
      hasEffect(entry) ? [[index, ours(entry)] as const] : [],
    )
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

const gobbyEffects = "block spawn_agent set_variable inject_context rewrite_input load_skill run".split(" ")
const hasEffect = (entry: Json): boolean =>
  gobbyEffects.some((name) => name in mapOf(entry)) || listOf(mapOf(entry).effects).some(isOurs)

/** An entry without those of its listed effects that are Gobby's own. */
function ours(entry: Json): Json {
  const { effects, ...rest } = mapOf(entry)
  return effects === undefined ? entry : { ...rest, effects: listOf(effects).filter(isOurs) }
}

const isOurs = (effect: Json): boolean => gobbyEffects.includes(String(mapOf(effect).type))

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
