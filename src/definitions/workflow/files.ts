import path from "node:path"
import { isMap } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import { otherTypes } from "./read-part.ts"
import type { NamedWorkflow } from "./source.ts"
import { tidied } from "./tidied.ts"

/** A file as it lies there. Gobby's may hold sets of hooks and pipelines as well. */
interface Place {
  readonly file: string
  readonly format: "cadre" | "gobby" | "workflow"
  readonly boundary?: string
  readonly unread?: { readonly message: string }
}

/** What a file says, and its content for whoever asks whether it is trusted. */
export interface FileOfWorkflow {
  readonly hash?: string
  /** Undefined where it holds no workflow. */
  readonly named?: NamedWorkflow
  /** It is something else, and an agent that names it is told so. */
  readonly other?: NamedWorkflow
}

/**
 * Reads a workflow that lies in a file of its own. One that cannot be read keeps its name, and is refused; of Gobby's files
 * whoever reads their hooks tells of that.
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
  if (yaml.type === "invalid") return { hash, ...refused(`it is no YAML: ${yaml.message}`) }
  const { value } = yaml
  if (!isMap(value)) return { hash, ...refused("it is not keys and values.") }
  const said = typeof value.name === "string" ? value.name : name
  if (format === "workflow") return { hash, named: { name: said, workflow: value } }
  const { type, steps } = value
  if (type === "pipeline") return { hash, other: unread(said, otherTypes.pipeline!) }
  if (steps !== undefined) return { hash, named: { name: said, workflow: tidied(value) } }
  return { hash, other: unread(said, otherTypes.lifecycle!) }
}

const unread = (name: string, refused: string): NamedWorkflow => ({ name, workflow: {}, refused })
