import type { Agent } from "../../agent/agent.ts"
import type { Handing, PipelineStep } from "../../agent/pipeline.ts"
import { knownNames } from "../../ground/errors.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import { checkValue, type Look, type Path, type Visible, type Wanted } from "./check-text.ts"
import { describeInputs, inputsOf } from "./inputs.ts"
import { valueType } from "./record-type.ts"
import { describeType, isOther, type Type } from "./schema-type.ts"

/** Whether what a step gives to an agent is what the agent takes. */
export function checkGiven(
  { prompt, inputs, variables = {} }: Handing,
  agent: Agent,
  path: Path,
  look: Look,
): void {
  const { callVariables = [], pipeline } = agent
  const schema = pipeline?.inputs
  if (inputs !== undefined && schema)
    checkKeys(inputs, schema, [...path, "inputs"], look, {
      unknown: (name) => `\`${agent.name}\` has no input \`${name}\`.`,
      missing: (name) => `\`${agent.name}\` needs the input \`${name}\`, which is not given.`,
    })
  // Whatever is filled in, what begins otherwise is no JSON object.
  if (prompt !== undefined && schema && !/^\s*\{/.test(prompt) && !inputsOf(schema, prompt))
    look.found.push({
      code: "pipeline-type",
      path: [...path, "prompt"],
      message: `\`${agent.name}\` takes ${describeInputs(schema)}, which this text cannot be. Write \`inputs\` in place of \`prompt\`.`,
    })
  for (const name of Object.keys(variables))
    if (!callVariables.includes(name))
      look.found.push({
        code: "pipeline-name",
        path: [...path, "variables", name],
        about: "key",
        message: `\`${agent.name}\` does not let its callers set \`${name}\` (\`callVariables\`). ${knownNames(name, callVariables)}`,
      })
}

/** What the inputs of a pipeline must be. */
export const takenBy = (agent: Agent | undefined): Wanted | undefined =>
  agent?.pipeline?.inputs && { type: agent.pipeline.inputs, says: `the inputs of \`${agent.name}\`` }

/** What the pipeline ends with must fit its `output` schema. */
export function checkOutputs(outputs: JsonMap, end: Visible, look: Look): void {
  const { result } = look.agent
  if (result)
    checkKeys(outputs, { additionalProperties: true, ...result }, ["outputs"], look, {
      unknown: (name) => `The \`output\` schema has no \`${name}\`.`,
      missing: (name) => `By the \`output\` schema there must be \`${name}\`, which is not given.`,
    })
  checkValue(outputs, ["outputs"], end, look, result && { type: result, says: "the `output` schema" })
}

/** The same where it ends with what its last step gives; one that may give nothing leaves that to another. */
export function checkLast(
  steps: readonly PipelineStep[],
  last: Type,
  { agent: { result }, found }: Look,
): void {
  const step = steps.at(-1)!
  if (!result || step.when !== undefined || step.on_error !== undefined || "wait" in step) return
  const type = valueType(last)
  const given = type ? describeType(type) : "text, and no value"
  if (isOther(type ?? { type: "null" }, result))
    found.push({
      code: "pipeline-type",
      path: ["steps", steps.length - 1],
      message: `The pipeline ends with what \`${step.id}\` gives, which is ${given}; by its \`output\` schema it must be ${describeType(result)}. Say with \`outputs\` what it ends with.`,
    })
}

/** Whether all keys of an object are there that its schema asks for, and no others. */
function checkKeys(
  given: JsonMap,
  { properties, required, additionalProperties: more = false }: JsonMap,
  path: Path,
  { found }: Look,
  say: { unknown(name: string): string; missing(name: string): string },
): void {
  if (!isMap(properties)) return
  const names = Object.keys(properties)
  for (const name of Object.keys(given))
    if (more === false && !names.includes(name))
      found.push({
        code: "pipeline-name",
        path: [...path, name],
        about: "key",
        message: `${say.unknown(name)} ${knownNames(name, names)}`,
      })
  for (const name of Array.isArray(required) ? (required as readonly string[]) : [])
    if (!Object.hasOwn(given, name)) found.push({ code: "pipeline-type", path, message: say.missing(name) })
}
