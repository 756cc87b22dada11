import type { Pipeline } from "../../../agent/pipeline.ts"
import { isMap, type Json } from "../../../ground/message.ts"
import { readInputs } from "../../pipelines/inputs.ts"
import type { Values } from "../document/document.ts"
import type { Path } from "../document/yaml.ts"
import type { Problem } from "../problem.ts"
import { checkSchema } from "./check-schema.ts"
import { list, map } from "./common.ts"
import { readDuration, writeDuration } from "./duration.ts"
import type { Draft, Field } from "./field.ts"

/** The keys of a pipeline. What its steps mean, and whether they can, is a matter of rules. */
export const pipelineFields = (): readonly Field<never>[] =>
  [
    {
      key: "pipeline",
      into: "pipeline",
      parts: { "pipeline.steps": [] },
      doc: "Steps that its runs follow in place of asking a model: each hands work to an agent, or is a parallel, map, loop, approval or wait.",
      type: list,
      read: (draft: Draft, value: Json) => put(draft, { steps: inMilliseconds(value) as never }),
      write: ({ pipeline }) => pipeline && (withDurations(pipeline.steps as unknown as Json) as Json),
    },
    {
      key: "inputs",
      into: "pipeline.inputs",
      doc: "What the task of a pipeline gives: types by name (`goal: string`, `paths: string[]`, `depth: number?`), or a JSON Schema.",
      otherwise: "any text, as `task`",
      type: map,
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
      doc: "What a pipeline ends with, by name. A text is a template; one that is a single `{{ … }}` gives what that is.",
      otherwise: "what its last step gave",
      type: map,
      read: (draft: Draft, value: Json) => put(draft, { outputs: value as Values }),
      write: ({ pipeline }) => pipeline?.outputs,
    },
  ] satisfies readonly Field[] as readonly Field<never>[]

function put(draft: Draft, part: Partial<Pipeline>): void {
  draft.pipeline = { ...draft.pipeline, ...part } as Pipeline
}

/** Times of steps, wherever they are nested. */
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

const wrong = (path: Path, message: string): Problem => ({
  code: "field-type",
  severity: "error",
  message,
  at: { type: "value", path },
})
