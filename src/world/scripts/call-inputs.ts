import type { ToolContext } from "../../agent/tool.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { ScriptInput } from "../../language/script/declarations.ts"

/**
 * The inputs of one run of a script: the arguments of the call, and the values of the host where the script declares
 * them. An argument never takes the place of an input that the host gives, under whichever of its names.
 */
export function callInputs(
  declared: readonly ScriptInput[],
  input: JsonMap,
  injected: NonNullable<ToolContext["injected"]> = {},
): JsonMap {
  const ofHost = declared.flatMap(({ name, alias = name }) => {
    const key = [name, alias].find((one) => Object.hasOwn(injected, one))
    return key === undefined ? [] : [{ names: [name, alias], name, value: injected[key] }]
  })
  const kept = Object.entries(input).filter(
    ([key]) => !Object.hasOwn(injected, key) && !ofHost.some(({ names }) => names.includes(key)),
  )
  return Object.fromEntries([
    ...kept,
    ...ofHost.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
  ])
}
