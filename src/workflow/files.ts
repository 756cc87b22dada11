import path from "node:path"
import { readSourceFile } from "../formats/source.ts"
import { workflowParts } from "../formats/workflow-keys.ts"
import { readYaml } from "../formats/yaml.ts"
import { effectNames } from "../lifecycle/read-effects.ts"
import type { Json } from "../message.ts"
import { isMap, otherTypes, refusedKeys } from "./read.ts"
import type { NamedWorkflow } from "./source.ts"

/** A file as it lies there. Gobby's may hold sets of hooks and pipelines as well. */
interface Place {
  readonly file: string
  readonly format: "cadre" | "gobby" | "workflow"
}

/** What a file says, and its content for whoever asks whether it is trusted. */
export interface FileOfWorkflow {
  readonly hash?: string
  /** Undefined where it holds no workflow. */
  readonly named?: NamedWorkflow
  /** It is something else, and an agent that names it is told so. */
  readonly other?: NamedWorkflow
}

/** Reads a workflow that lies in a file of its own. One that cannot be read keeps its name, and is refused. */
export function readWorkflowFile({ file, format }: Place): FileOfWorkflow {
  if (format === "cadre") return {}
  const name = path.basename(file).replace(/\.ya?ml$/, "")
  const reading = readSourceFile(file)
  if (reading.type === "refused")
    return format === "gobby"
      ? {}
      : { named: unread(name, `its file cannot be read: ${reading.problem.message}`) }
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid")
    return format === "gobby" ? { hash } : { hash, named: unread(name, `it is no YAML: ${yaml.message}`) }
  const { value } = yaml
  if (!isMap(value))
    return format === "gobby" ? { hash } : { hash, named: unread(name, "it is not keys and values.") }
  const said = typeof value.name === "string" ? value.name : name
  if (format === "workflow") return { hash, named: { name: said, workflow: value } }
  const { type = "step", steps } = value
  const other = otherTypes[String(type)]
  if (other !== undefined) return { hash, other: unread(said, other) }
  return type === "step" && Array.isArray(steps)
    ? { hash, named: { name: said, workflow: tidied(value) } }
    : { hash }
}

type Values = { readonly [key: string]: Json }

const unread = (name: string, refused: string): NamedWorkflow => ({ name, workflow: {}, refused })

/** Of Gobby's own files, without what they say besides; what forbids something in a step stays, and is refused there. */
function tidied(value: Values): Values {
  const steps = Array.isArray(value.steps) ? value.steps.map(tidiedStep) : (value.steps ?? null)
  return { ...only(value, workflowParts.workflow), steps }
}

const stepKeys = [...workflowParts.step, ...Object.keys(refusedKeys).map((key) => ({ key }))]

const tidiedStep = (step: Json): Json => {
  const entries = isMap(step) ? Object.entries(only(step, stepKeys)) : undefined
  if (!entries) return step
  return Object.fromEntries(
    entries.map(([key, given]) => [
      key,
      Array.isArray(given) && key.startsWith("on_") ? given.filter(isFollowed) : given,
    ]),
  )
}

const only = (value: Values, keys: readonly { readonly key: string }[]): Values =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.some((one) => one.key === key)))

/** Gobby has actions of its own, which are passed over. */
const isFollowed = (entry: Json): boolean => {
  const { action } = isMap(entry) ? entry : {}
  return action === undefined || [...effectNames, "inject_message"].includes(String(action))
}
