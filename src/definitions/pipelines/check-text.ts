import type { Agent } from "../../agent/agent.ts"
import { innerNames, type PipelineStep } from "../../agent/pipeline.ts"
import { listKnownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { functions } from "../../language/expression/functions.ts"
import { isMappingMethod } from "../../language/expression/methods.ts"
import type { NameReference } from "../../language/expression/names.ts"
import { explainTemplateWord } from "../../language/expression/python/refuse.ts"
import type { PipelineProblem } from "./problem.ts"
import { makeObjectType, textRecordType } from "./record-type.ts"
import {
  describeType,
  excludesType,
  getLiteralType,
  getPartType,
  type Type,
  type TypePart,
} from "./schema-type.ts"
import { type ParsedText, readExpression, readTemplate } from "./text.ts"

/** Agents by name, for the types of their results; and all names, for suggestions. */
export interface KnownAgents {
  find(name: string): Agent | undefined
  names(): Iterable<string>
}

/** The state of checking the texts of a pipeline. */
export interface PipelineCheck {
  readonly agent: Agent
  readonly agents: KnownAgents | undefined
  readonly problems: PipelineProblem[]
  /** The id of every step, with the steps that contain it. */
  readonly all: ReadonlyMap<string, readonly PipelineStep[]>
  /** The id of the step that is being checked. */
  step: string
}

export interface Visible {
  readonly names: ReadonlyMap<string, Type>
  readonly steps: ReadonlyMap<string, Type>
}

export type PipelinePath = PipelineProblem["path"]

/** The type that a value must have, and the schema that requires it. */
export interface RequiredType {
  readonly type: Type
  readonly says: string
}

/** Checks every text in a value, and the type of the value if a type is required. */
export function checkValue(
  value: Json,
  path: PipelinePath,
  visible: Visible,
  look: PipelineCheck,
  wanted?: RequiredType,
): void {
  const checked =
    typeof value === "string"
      ? checkText("template", value, path, visible, look)
      : { type: getLiteralType(value) }
  if (wanted && checked && excludesType(checked.type, wanted.type))
    look.problems.push({
      code: "pipeline-type",
      path,
      message: `By ${wanted.says}, this must be ${describeType(wanted.type)}, but it is ${describeType(checked.type)}.`,
    })
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      const key = Array.isArray(value) ? Number(name) : name
      const part = wanted && getPartType(wanted.type, key)
      const type = part && "type" in part ? part.type : undefined
      checkValue(inner, [...path, key], visible, look, wanted && { ...wanted, type })
    }
}

/** Checks a text. Returns its type if that is known: the type of a single name, or text. */
export function checkText(
  kind: "template" | "expression",
  written: string,
  path: PipelinePath,
  visible: Visible,
  look: PipelineCheck,
): { readonly type: Type } | undefined {
  const read: ParsedText = kind === "template" ? readTemplate(written) : readExpression(written)
  if (read.type === "invalid") {
    const { message, offset } = read
    look.problems.push({
      code: "pipeline-expression",
      path,
      offset,
      length: Math.max(1, /^.*/.exec(written.slice(offset))![0].length),
      message: `Invalid ${kind}: ${message}`,
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
  return kind === "template" && !/^\s*\{\{.*\}\}\s*$/s.test(written) ? { type: textRecordType } : undefined
}

function checkReference(
  { name, offset, path: keys, isCalled }: NameReference,
  { kind, written }: { readonly kind: "template" | "expression"; readonly written: string },
  path: PipelinePath,
  { names, steps }: Visible,
  look: PipelineCheck,
): Type {
  const tell = (shown: string, problem: Told): undefined => {
    look.problems.push({ ...problem, path, offset, length: shown.length })
    return undefined
  }
  if (kind === "expression" && isCalled) return tell(name, unknownFunction(name))
  if (name !== "steps" && !names.has(name))
    return tell(
      name,
      unknownName(name, names, steps, kind === "expression" ? explainTemplateWord(name) : undefined),
    )
  let type: Type = name === "steps" ? makeObjectType([...steps]) : names.get(name)
  let shown = name
  for (const key of keys) {
    const part = getPartType(type, key)
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
    ? `exists only inside of ${name === "index" ? "a map" : "a loop"}`
    : "is not a known name"
  const meant = steps.has(name)
    ? `Write \`steps.${name}\`.`
    : listKnownNames(name, [...names.keys(), "steps"])
  return { code: "pipeline-name", message: `\`${name}\` ${why}. ${meant}` }
}

const unknownFunction = (name: string): Told => ({
  code: "pipeline-name",
  message: `Unknown function \`${name}\`. ${listKnownNames(name, functions.keys())}`,
})

const method = (whole: string, key: string | number): Told => ({
  code: "pipeline-name",
  message: `\`${whole}.${key}\` is a method. For the value of that name, write \`${whole}["${key}"]\`.`,
})

function problemOf(
  whole: string,
  key: string | number,
  part: Extract<TypePart, { readonly problem: string }>,
  steps: Visible["steps"],
  look: PipelineCheck,
): Told {
  if (part.problem === "list")
    return {
      code: "pipeline-type",
      message: `\`${whole}\` is a list, and only its items have \`${key}\`. Use \`map\`, or \`${whole}[0].${key}\`.`,
    }
  if (whole === "steps") return { code: "pipeline-name", message: unseen(String(key), steps, look) }
  if (key === "value" && /^steps\.\w+$/.test(whole))
    return {
      code: "pipeline-type",
      message: `\`${whole}\` has no value, because its agent has no \`output\` schema. Use its text, \`${whole}.output\`.`,
    }
  return {
    code: "pipeline-name",
    message: `\`${whole}\` has no \`${key}\`. ${listKnownNames(String(key), part.knownKeys)}`,
  }
}

/** Explains why a step cannot use the result of another. */
function unseen(id: string, steps: Visible["steps"], { all, step }: PipelineCheck): string {
  const around = all.get(id)
  if (!around) return `There is no step \`${id}\`. ${listKnownNames(id, steps.keys())}`
  const here = all.get(step) ?? []
  const apart = around.find((outer) => !here.includes(outer))
  if (id === step) return `\`steps.${id}\` is this step itself, which has no result yet.`
  if (apart && !("parallel" in apart) && apart.id !== step)
    return `\`${id}\` is a step inside of \`${apart.id}\` and can be used only there. From outside, use \`steps.${apart.id}\`.`
  const beside = around.at(-1)
  if (beside && "parallel" in beside && here.includes(beside))
    return `\`${id}\` runs at the same time as this step, so it has no result yet.`
  return `The step \`${id}\` comes later, so it has no result yet.`
}

const nameOf = ({ name, path }: NameReference): string =>
  [name, ...path].reduce<string>(
    (text, part, index) =>
      index === 0 ? String(part) : typeof part === "number" ? `${text}[${part}]` : `${text}.${part}`,
    "",
  )
