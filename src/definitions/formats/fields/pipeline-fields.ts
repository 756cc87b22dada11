import type { Pipeline } from "../../../agent/pipeline.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import { readInputs } from "../../pipelines/inputs.ts"
import type { Values } from "../document/document.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { Problem } from "../problem.ts"
import { checkSchema } from "./check-schema.ts"
import { listType, mapType } from "./common.ts"
import { readDuration, writeDuration } from "./duration.ts"
import type { Draft, Field } from "./field.ts"

/** The keys of a pipeline. The rules check its steps. */
export const definePipelineFields = (): readonly Field<never>[] =>
  [
    {
      key: "pipeline",
      into: "pipeline",
      parts: { "pipeline.steps": [] },
      doc: "Steps that a run follows instead of asking a model. Each step calls an agent, or is a parallel, map, loop, approval or wait step.",
      type: listType,
      read: (draft: Draft, value: Json) => put(draft, { steps: inMilliseconds(value) as never }),
      write: ({ pipeline }) => pipeline && (withDurations(pipeline.steps as unknown as Json) as Json),
    },
    {
      key: "inputs",
      into: "pipeline.inputs",
      doc: "The inputs that the task of a pipeline provides: types by name (`goal: string`, `paths: string[]`, `depth: number?`), or a JSON Schema.",
      otherwise: "any text, as `task`",
      type: mapType,
      read: (draft: Draft, value: Json, { report }) => {
        const read = readInputs(value as Values)
        if ("problems" in read)
          for (const { name, message } of read.problems)
            report(wrong(["inputs", name], `\`inputs.${name}\` ${message}.`))
        else {
          const isWritten = (value as Values).type === "object" && isMap((value as Values).properties)
          for (const { path, message } of checkSchema(read.schema as Json)) {
            const place = isWritten ? path : path.slice(1)
            report(wrong(["inputs", ...place], `\`${["inputs", ...place].join(".")}\` ${message}.`))
          }
          put(draft, { inputs: read.schema })
        }
      },
      write: ({ pipeline }) => pipeline?.inputs as Json | undefined,
    },
    {
      key: "outputs",
      into: "pipeline.outputs",
      doc: "The results of a pipeline, by name. A text is a template. A template that is a single `{{ … }}` keeps the type of its value.",
      otherwise: "the result of its last step",
      type: mapType,
      read: (draft: Draft, value: Json) => put(draft, { outputs: value as Values }),
      write: ({ pipeline }) => pipeline?.outputs,
    },
  ] satisfies readonly Field[] as readonly Field<never>[]

function put(draft: Draft, part: Partial<Pipeline>): void {
  draft.pipeline = { ...draft.pipeline, ...part } as Pipeline
}

/** The keys of a step that hold a time. Below them: the keys that hold more steps. */
const times = ["timeout", "wait"]
const nests = ["parallel", "steps"]

const inMilliseconds = (steps: Json): Json => each(steps, (time) => readDuration(time) ?? time)

const withDurations = (steps: Json): Json =>
  each(steps, (time) => (typeof time === "number" ? writeDuration(time) : time))

function each(steps: Json, change: (time: Json) => Json): Json {
  if (!Array.isArray(steps)) return steps
  return steps.map((step: Json) =>
    isMap(step)
      ? Object.fromEntries(
          Object.entries(step).map(([key, value]) => [
            key,
            times.includes(key) ? change(value) : nests.includes(key) ? each(value, change) : value,
          ]),
        )
      : step,
  )
}

const wrong = (path: KeyPath, message: string): Problem => ({
  code: "field-type",
  severity: "error",
  message,
  at: { type: "value", path },
})
