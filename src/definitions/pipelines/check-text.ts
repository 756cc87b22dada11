import type { Agent } from "../../agent/agent.ts"
import { innerNames, type PipelineStep } from "../../agent/pipeline.ts"
import { knownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { functions } from "../../language/expression/functions.ts"
import { isMappingMethod } from "../../language/expression/methods.ts"
import type { Reference } from "../../language/expression/names.ts"
import { wordOfTemplates } from "../../language/expression/python/refuse.ts"
import type { PipelineProblem } from "./problem.ts"
import { objectOf, text } from "./record-type.ts"
import { describeType, isOther, type Part, partOf, type Type, typeOf } from "./schema-type.ts"
import { type ReadText, readExpression, readTemplate } from "./text.ts"

/** Agents by name, to look at what their runs give; and their names, for suggestions. */
export interface KnownAgents {
  find(name: string): Agent | undefined
  names(): Iterable<string>
}

/** What is known while the texts of a pipeline are looked at. */
export interface Look {
  readonly agent: Agent
  readonly agents: KnownAgents | undefined
  readonly found: PipelineProblem[]
  /** Every step, with the steps that it is inside of. */
  readonly all: ReadonlyMap<string, readonly PipelineStep[]>
  /** Which is looked at. */
  step: string
}

export interface Visible {
  readonly names: ReadonlyMap<string, Type>
  readonly steps: ReadonlyMap<string, Type>
}

export type Path = PipelineProblem["path"]

/** What a value must be, and who says so. */
export interface Wanted {
  readonly type: Type
  readonly says: string
}

/** Every text in a value; and, where it is known what it must be, whether it can be that. */
export function checkValue(value: Json, path: Path, visible: Visible, look: Look, wanted?: Wanted): void {
  const given =
    typeof value === "string" ? checkText("template", value, path, visible, look) : { type: typeOf(value) }
  if (wanted && given && isOther(given.type, wanted.type))
    look.found.push({
      code: "pipeline-type",
      path,
      message: `By ${wanted.says} this must be ${describeType(wanted.type)}, but it is ${describeType(given.type)}.`,
    })
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      const key = Array.isArray(value) ? Number(name) : name
      const part = wanted && partOf(wanted.type, key)
      const type = part && "type" in part ? part.type : undefined
      checkValue(inner, [...path, key], visible, look, wanted && { ...wanted, type })
    }
}

/** What it comes to, where that is known: it is one name and nothing else, or a text with more in it. */
export function checkText(
  kind: "template" | "expression",
  written: string,
  path: Path,
  visible: Visible,
  look: Look,
): { readonly type: Type } | undefined {
  const read: ReadText = kind === "template" ? readTemplate(written) : readExpression(written)
  if (read.type === "invalid") {
    const { message, offset } = read
    look.found.push({
      code: "pipeline-expression",
      path,
      offset,
      length: Math.max(1, /^.*/.exec(written.slice(offset))![0].length),
      message: `This is no ${kind} that can be read: ${message}`,
    })
    return undefined
  }
  const types = read.references.map((reference) =>
    checkReference(reference, { kind, written }, path, visible, look),
  )
  const [only] = read.references
  const whole = kind === "template" ? /^\{\{(.*)\}\}$/s.exec(written)?.[1] : written
  if (read.references.length === 1 && only!.rest === "none" && whole?.trim() === nameOf(only!))
    return { type: types[0] }
  return kind === "template" && !/^\s*\{\{.*\}\}\s*$/s.test(written) ? { type: text } : undefined
}

function checkReference(
  { name, offset, path: keys, isCalled }: Reference,
  { kind, written }: { readonly kind: "template" | "expression"; readonly written: string },
  path: Path,
  { names, steps }: Visible,
  look: Look,
): Type {
  const tell = (shown: string, problem: Told): undefined => {
    look.found.push({ ...problem, path, offset, length: shown.length })
    return undefined
  }
  if (kind === "expression" && isCalled) return tell(name, unknownFunction(name))
  if (name !== "steps" && !names.has(name))
    return tell(
      name,
      unknownName(name, names, steps, kind === "expression" ? wordOfTemplates(name) : undefined),
    )
  let type: Type = name === "steps" ? objectOf([...steps]) : names.get(name)
  let shown = name
  for (const key of keys) {
    const part = partOf(type, key)
    const whole = typeof key === "number" ? `${shown}[${key}]` : `${shown}.${key}`
    if (isMappingMethod(key) && written.startsWith(whole, offset)) return tell(whole, method(shown, key))
    if ("problem" in part) return tell(whole, problemOf(shown, key, part, steps, look))
    type = part.type
    shown = whole
  }
  return type
}

type Told = Pick<PipelineProblem, "code" | "message">

function unknownName(
  name: string,
  names: Visible["names"],
  steps: Visible["steps"],
  hint: string | undefined,
): Told {
  if (hint !== undefined) return { code: "pipeline-name", message: hint }
  const why = innerNames.includes(name as never)
    ? `means nothing outside of ${name === "index" ? "a map" : "a loop"}`
    : "is not known here"
  const meant = steps.has(name) ? `Write \`steps.${name}\`.` : knownNames(name, [...names.keys(), "steps"])
  return { code: "pipeline-name", message: `\`${name}\` ${why}. ${meant}` }
}

const unknownFunction = (name: string): Told => ({
  code: "pipeline-name",
  message: `There is no function \`${name}\`. ${knownNames(name, functions.keys())}`,
})

const method = (whole: string, key: string | number): Told => ({
  code: "pipeline-name",
  message: `\`${whole}.${key}\` means something that can be called. For what is stored under that name write \`${whole}["${key}"]\`.`,
})

function problemOf(
  whole: string,
  key: string | number,
  part: Extract<Part, { readonly problem: string }>,
  steps: Visible["steps"],
  look: Look,
): Told {
  if (part.problem === "list")
    return {
      code: "pipeline-type",
      message: `\`${whole}\` is a list: \`${key}\` belongs to its items. Use \`map\`, or \`${whole}[0].${key}\`.`,
    }
  if (whole === "steps") return { code: "pipeline-name", message: unseen(String(key), steps, look) }
  if (key === "value" && /^steps\.\w+$/.test(whole))
    return {
      code: "pipeline-type",
      message: `\`${whole}\` gives no value, because its agent has no \`output\` schema. Use \`${whole}.output\`, which is its text.`,
    }
  return {
    code: "pipeline-name",
    message: `\`${whole}\` has no \`${key}\`. ${knownNames(String(key), part.known)}`,
  }
}

/** Why a step cannot be seen from another. */
function unseen(id: string, steps: Visible["steps"], { all, step }: Look): string {
  const around = all.get(id)
  if (!around) return `There is no step \`${id}\`. ${knownNames(id, steps.keys())}`
  const here = all.get(step) ?? []
  const apart = around.find((outer) => !here.includes(outer))
  if (id === step) return `\`steps.${id}\` is this very step: it has given nothing yet.`
  if (apart && !("parallel" in apart) && apart.id !== step)
    return `\`${id}\` is a step inside of \`${apart.id}\` and can be seen only there. From outside it is \`steps.${apart.id}\` that tells what came of it.`
  const beside = around.at(-1)
  if (beside && "parallel" in beside && here.includes(beside))
    return `\`${id}\` runs at the same time as this step, so it has given nothing yet.`
  return `The step \`${id}\` comes later, so it has given nothing yet.`
}

const nameOf = ({ name, path }: Reference): string =>
  [name, ...path].reduce<string>(
    (text, part, index) =>
      index === 0 ? String(part) : typeof part === "number" ? `${text}[${part}]` : `${text}.${part}`,
    "",
  )
