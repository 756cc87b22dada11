import path from "node:path"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { diagnose, type Problem, placeInside } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { locateYaml, readYaml } from "../formats/yaml.ts"
import type { Json } from "../message.ts"
import type { HookProblem } from "./hook.ts"
import type { HookSet } from "./source.ts"

/** A file of hooks as it lies there. */
interface Place {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby"
}

/** What a file says, and its content for whoever asks whether it is trusted. Nothing where it holds no hooks. */
export interface FileOfHooks {
  readonly hash?: string
  readonly set?: HookSet
}

/** A file that cannot be read is a set that cannot be followed: it might have forbidden something. */
export function readHookFile({ file, of, format }: Place): FileOfHooks {
  const name = path.basename(file).replace(/\.ya?ml$/, "")
  const reading = readSourceFile(file)
  if (reading.type === "refused")
    return { set: { name, of, hooks: `its file cannot be read: ${reading.problem.message}` } }
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid")
    return format === "gobby"
      ? { hash }
      : { hash, set: { name, of, hooks: `it is no YAML: ${yaml.message}` } }
  if (format === "gobby") return { hash, ...gobbySet(yaml.value, { name, of }) }
  const { name: said, description: _, picked_only, hooks, ...events } = mapOf(yaml.value)
  return {
    hash,
    set: {
      name: typeof said === "string" ? said : name,
      of,
      ...(picked_only === true && { pickedOnly: true }),
      hooks: isMap(yaml.value) ? (hooks ?? events) : yaml.value,
    },
  }
}

/** What is wrong with hooks, with the place in the file that they stand in below these keys. */
export function hookDiagnostics(
  file: string,
  text: string,
  below: readonly string[],
  problems: readonly HookProblem[],
): readonly Diagnostic[] {
  const locate = locateYaml(text)
  const value = readYaml(text)
  const found = problems.map(({ path: at, message, offset, about }): Problem => {
    const whole = [...below, ...at]
    const said = value.type === "invalid" ? undefined : valueAt(value.value, whole)
    return {
      code: "hook-invalid",
      severity: "error",
      message,
      at:
        offset !== undefined && typeof said === "string"
          ? placeInside(whole, said, Math.min(offset, said.length - 1), 1)
          : { type: about ?? "value", path: whole },
    }
  })
  return diagnose(
    file,
    text,
    (place) => {
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
    },
    found,
  )
}

/** Gobby's files hold much else, and actions of its own: of those only what is an effect here is taken. */
function gobbySet(value: Json, { name, of }: Pick<HookSet, "name" | "of">): Pick<FileOfHooks, "set"> {
  const { triggers, name: said, ...keys } = mapOf(value)
  const hooks = Object.entries({ ...keys, ...mapOf(triggers) }).flatMap(([key, entries]) => {
    const known = key.startsWith("on_") && Array.isArray(entries) ? entries.filter(hasEffect) : []
    return known.length > 0 ? [[key, known] as const] : []
  })
  if (hooks.length === 0) return {}
  return { set: { name: typeof said === "string" ? said : name, of, hooks: Object.fromEntries(hooks) } }
}

const gobbyEffects = ["block", "spawn_agent", "set_variable", "inject_context", "rewrite_input", "load_skill"]
const hasEffect = (entry: Json): boolean => gobbyEffects.some((name) => name in mapOf(entry))

const valueAt = (value: Json, at: readonly (string | number)[]): Json | undefined =>
  at.reduce<Json | undefined>((inner, key) => (inner as Record<string | number, Json> | null)?.[key], value)

const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapOf = (value: Json | undefined): { readonly [key: string]: Json } => (isMap(value) ? value : {})
