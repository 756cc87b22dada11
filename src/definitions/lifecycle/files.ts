import path from "node:path"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import { findOffReason } from "./gobby/off.ts"
import type { HookSet } from "./hook-set.ts"

/** A file of hooks on disk. */
interface Place {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  readonly boundary?: string
  readonly aside?: true
  readonly unread?: { readonly message: string }
}

/** The hooks of a file, and the hash by which it is trusted. Empty if the file is not about hooks. */
export interface FileOfHooks {
  readonly hash?: string
  readonly set?: HookSet
}

/** Reads a file of hooks. An unreadable file becomes an invalid set, because it might have forbidden something. */
export function readHookFile({ file, of, format, boundary, aside, unread }: Place): FileOfHooks {
  if (format === "workflow") return {}
  const name = path.basename(file).replace(/\.ya?ml$/i, "")
  const refused = (hooks: string) => (aside ? {} : { set: { name, of, file, hooks } })
  if (unread) return refused(unread.message)
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return refused(`its file cannot be read: ${reading.problem.message}`)
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid") return { hash, ...refused(`invalid YAML: ${yaml.message}`) }
  const place = { name, of, file }
  if (format !== "gobby") return { hash, set: ownSet(yaml.value, place) }
  const off = aside ? "it lies in a folder `deprecated`, which Gobby skips" : findOffReason(yaml.value)
  return { hash, ...gobbySet(yaml.value, place, off) }
}

type Named = Required<Pick<HookSet, "name" | "of" | "file">>

function ownSet(value: Json, place: Named): HookSet {
  const { name: ownName, description: _, picked_only, ...rest } = mapOf(value)
  const events =
    picked_only === undefined || typeof picked_only === "boolean" ? rest : { ...rest, picked_only }
  const { hooks } = events
  const base = {
    ...place,
    ...(typeof ownName === "string" && { name: ownName }),
    ...(picked_only === true && { pickedOnly: true as const }),
  }
  if (isMap(value) && saysNothing("hooks" in events && Object.keys(events).length === 1 ? hooks : events))
    return { ...base, hooks: "this file has no hooks, so it is unclear what it should forbid:" }
  return {
    ...base,
    ...(hooks !== undefined && hooks !== null && Object.keys(events).length === 1
      ? { hooks, keysOf: (path) => ["hooks", ...path] }
      : { hooks: isMap(value) ? events : value }),
  }
}

const saysNothing = (hooks: Json | undefined): boolean =>
  hooks === undefined || hooks === null || (typeof hooks === "object" && Object.keys(hooks).length === 0)

/** Reads a file of Gobby's. A pipeline has no hooks. Steps apply only to agents that name the file. */
function gobbySet(value: Json, place: Named, off: string | undefined): Pick<FileOfHooks, "set"> {
  const { name: ownName, type, priority, variables, session_variables } = mapOf(value)
  if (type === "pipeline") {
    const gating = Object.keys(mapOf(value)).find((key) =>
      /^(?:triggers|tool_rules|observers|rules|on_.*)$/.test(key),
    )
    if (gating === undefined) return {}
    const hooks = `a pipeline has no \`${gating}\`, so what it forbids has no effect. Remove its \`type\`, or move \`${gating}\` to its own file:`
    return { set: { ...place, hooks } }
  }
  return {
    set: {
      ...place,
      ...(typeof ownName === "string" && { name: ownName }),
      words: "gobby",
      hooks: value,
      ...(typeof priority === "number" && { priority }),
      variables: { ...mapOf(session_variables), ...mapOf(variables) },
      ...(off !== undefined && { pickedOnly: true, off }),
    },
  }
}
