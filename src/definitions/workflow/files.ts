import path from "node:path"
import { isMap } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import { otherTypes } from "./read-part.ts"
import type { NamedWorkflow } from "./source.ts"
import { tidyWorkflow } from "./tidy-workflow.ts"

/** A workflow file on disk. Gobby's files may also contain hooks or pipelines. */
interface Place {
  readonly file: string
  readonly format: "cadre" | "gobby" | "workflow"
  readonly boundary?: string
  readonly unread?: { readonly message: string }
}

/** The workflow of a file, and the hash by which it is trusted. */
export interface FileOfWorkflow {
  readonly hash?: string
  /** Undefined: the file has no workflow. */
  readonly named?: NamedWorkflow
  /** The file is something else, and an agent that names it is refused with the reason. */
  readonly other?: NamedWorkflow
}

/**
 * Reads a workflow file. An unreadable file keeps its name and is refused. For Gobby's files, the reader of hooks reports
 * that instead.
 */
export function readWorkflowFile({ file, format, boundary, unread: why }: Place): FileOfWorkflow {
  if (format === "cadre") return {}
  const name = path.basename(file).replace(/\.ya?ml$/i, "")
  const refused = (message: string) => (format === "gobby" ? {} : { named: unread(name, message) })
  if (why) return refused(why.message)
  const reading = readSourceFile(file, boundary)
  if (reading.type === "refused") return refused(`its file cannot be read: ${reading.problem.message}`)
  const { text, hash } = reading.source
  const yaml = readYaml(text)
  if (yaml.type === "invalid") return { hash, ...refused(`invalid YAML: ${yaml.message}`) }
  const { value } = yaml
  if (!isMap(value)) return { hash, ...refused("it must be keys and values.") }
  const ownName = typeof value.name === "string" ? value.name : name
  if (format === "workflow") return { hash, named: { name: ownName, workflow: value } }
  const { type, steps } = value
  if (type === "pipeline") return { hash, other: unread(ownName, otherTypes.pipeline!) }
  if (steps !== undefined) return { hash, named: { name: ownName, workflow: tidyWorkflow(value) } }
  return { hash, other: unread(ownName, otherTypes.lifecycle!) }
}

const unread = (name: string, refused: string): NamedWorkflow => ({ name, workflow: {}, refused })
