import path from "node:path"
import { isMap, type Json, mapOf } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import { offBecause } from "./gobby/off.ts"
import type { HookSet } from "./hook-set.ts"

/** A file of hooks as it lies there. */
interface Place {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  readonly boundary?: string
  readonly aside?: true
  readonly unread?: { readonly message: string }
}

/** What a file says, and its content for whoever asks whether it is trusted. Nothing where it is for no hooks. */
export interface FileOfHooks {
  readonly hash?: string
  readonly set?: HookSet
}

/** A file that cannot be read is a set that cannot be followed: it might have forbidden something. */
export function readHookFile({ file, of, format, boundary, aside, unread }: Place): FileOfHooks {
  if (format === "workflow") return {}
  const name = path.basename(file).replace(/\.ya?ml$/i, "")
  const refused = (hooks: string) => (aside ? {} : { set: { name, of, file, hooks } })
  if (unread) return refused(unread.message)
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return refused(`its file cannot be read: ${reading.problem.message}`)
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid") return { hash, ...refused(`it is no YAML: ${yaml.message}`) }
  const place = { name, of, file }
  if (format !== "gobby") return { hash, set: ownSet(yaml.value, place) }
  const off = aside ? "it lies in a folder `deprecated`, which Gobby leaves out" : offBecause(yaml.value)
  return { hash, ...gobbySet(yaml.value, place, off) }
}

type Named = Required<Pick<HookSet, "name" | "of" | "file">>

function ownSet(value: Json, place: Named): HookSet {
  const { name: said, description: _, picked_only, ...rest } = mapOf(value)
  const events =
    picked_only === undefined || typeof picked_only === "boolean" ? rest : { ...rest, picked_only }
  const { hooks } = events
  const named = {
    ...place,
    ...(typeof said === "string" && { name: said }),
    ...(picked_only === true && { pickedOnly: true as const }),
  }
  if (isMap(value) && saysNothing("hooks" in events && Object.keys(events).length === 1 ? hooks : events))
    return { ...named, hooks: "this file has no hooks, and nobody can tell what it was to forbid:" }
  return {
    ...named,
    ...(hooks !== undefined && hooks !== null && Object.keys(events).length === 1
      ? { hooks, keysOf: (path) => ["hooks", ...path] }
      : { hooks: isMap(value) ? events : value }),
  }
}

const saysNothing = (hooks: Json | undefined): boolean =>
  hooks === undefined || hooks === null || (typeof hooks === "object" && Object.keys(hooks).length === 0)

/** A pipeline has none. Steps beside them are for those who name the file. */
function gobbySet(value: Json, place: Named, off: string | undefined): Pick<FileOfHooks, "set"> {
  const { name: said, type, priority, variables, session_variables } = mapOf(value)
  if (type === "pipeline") {
    const gating = Object.keys(mapOf(value)).find((key) =>
      /^(?:triggers|tool_rules|observers|rules|on_.*)$/.test(key),
    )
    if (gating === undefined) return {}
    const hooks = `a pipeline has no \`${gating}\`, so what it forbids is not heard. Leave out its \`type\`, or move them to a file of their own:`
    return { set: { ...place, hooks } }
  }
  return {
    set: {
      ...place,
      ...(typeof said === "string" && { name: said }),
      words: "gobby",
      hooks: value,
      ...(typeof priority === "number" && { priority }),
      variables: { ...mapOf(session_variables), ...mapOf(variables) },
      ...(off !== undefined && { pickedOnly: true, off }),
    },
  }
}
