import type { Agent } from "../../agent/agent.ts"
import type { AgentWork, PipelineStep } from "../../agent/pipeline.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import {
  checkValue,
  type PipelineCheck,
  type PipelinePath,
  type RequiredType,
  type Visible,
} from "./check-text.ts"
import { describeInputs, readTaskInputs } from "./inputs.ts"
import { getValueType } from "./record-type.ts"
import { describeType, excludesType, type Type } from "./schema-type.ts"

/** Checks the inputs, prompt and variables of a step against what its agent takes. */
export function checkStepInputs(
  { prompt, inputs, variables = {} }: AgentWork,
  agent: Agent,
  path: PipelinePath,
  look: PipelineCheck,
): void {
  const { callVariables = [], pipeline } = agent
  const schema = pipeline?.inputs
  if (inputs !== undefined && schema)
    checkKeys(inputs, schema, [...path, "inputs"], look, {
      unknown: (name) => `\`${agent.name}\` has no input \`${name}\`.`,
      missing: (name) => `\`${agent.name}\` needs the input \`${name}\`, which is missing.`,
    })
  // A text that does not begin with `{` is never a JSON object, whatever its templates insert.
  if (prompt !== undefined && schema && !/^\s*\{/.test(prompt) && !readTaskInputs(schema, prompt))
    look.problems.push({
      code: "pipeline-type",
      path: [...path, "prompt"],
      message: `\`${agent.name}\` takes ${describeInputs(schema)}, and this text can never be that. Write \`inputs\` instead of \`prompt\`.`,
    })
  for (const name of Object.keys(variables))
    if (!callVariables.includes(name))
      look.problems.push({
        code: "pipeline-name",
        path: [...path, "variables", name],
        about: "key",
        message: `\`${agent.name}\` does not let its callers set \`${name}\` (\`callVariables\`). ${listKnownNames(name, callVariables)}`,
      })
}

/** The type that the inputs of a pipeline must have. */
export const getRequiredInputs = (agent: Agent | undefined): RequiredType | undefined =>
  agent?.pipeline?.inputs && { type: agent.pipeline.inputs, says: `the inputs of \`${agent.name}\`` }

/** Checks the outputs of the pipeline against its `output` schema. */
export function checkOutputs(outputs: JsonMap, end: Visible, look: PipelineCheck): void {
  const { result } = look.agent
  if (result)
    checkKeys(outputs, { additionalProperties: true, ...result }, ["outputs"], look, {
      unknown: (name) => `The \`output\` schema has no \`${name}\`.`,
      missing: (name) => `The \`output\` schema requires \`${name}\`, which is missing.`,
    })
  checkValue(outputs, ["outputs"], end, look, result && { type: result, says: "the `output` schema" })
}

/** Checks the result of the last step against the `output` schema. A step that may have no result is not checked. */
export function checkLast(
  steps: readonly PipelineStep[],
  last: Type,
  { agent: { result }, problems }: PipelineCheck,
): void {
  const step = steps.at(-1)!
  if (!result || step.when !== undefined || step.on_error !== undefined || "wait" in step) return
  const type = getValueType(last)
  const description = type ? describeType(type) : "text without a value"
  if (excludesType(type ?? { type: "null" }, result))
    problems.push({
      code: "pipeline-type",
      path: ["steps", steps.length - 1],
      message: `The pipeline ends with the result of \`${step.id}\`, which is ${description}, but its \`output\` schema requires ${describeType(result)}. Define the result with \`outputs\`.`,
    })
}

/** Checks that an object has all keys that its schema requires, and no unknown keys. */
function checkKeys(
  input: JsonMap,
  { properties, required, additionalProperties: more = false }: JsonMap,
  path: PipelinePath,
  { problems }: PipelineCheck,
  say: { unknown(name: string): string; missing(name: string): string },
): void {
  if (!isMap(properties)) return
  const names = Object.keys(properties)
  for (const name of Object.keys(input))
    if (more === false && !names.includes(name))
      problems.push({
        code: "pipeline-name",
        path: [...path, name],
        about: "key",
        message: `${say.unknown(name)} ${listKnownNames(name, names)}`,
      })
  for (const name of Array.isArray(required) ? (required as readonly string[]) : [])
    if (!Object.hasOwn(input, name))
      problems.push({ code: "pipeline-type", path, message: say.missing(name) })
}
