import type { JsonMap } from "../../ground/message.ts"
import type { ScriptInput } from "../../language/script/declarations.ts"

/** The values of all declared inputs. A value may be given under either name of an input. */
export function readScriptInputs(
  inputs: readonly ScriptInput[],
  values: JsonMap,
): { readonly values: JsonMap } | { readonly problem: string } {
  const inputValue = ({ name, alias }: ScriptInput) => {
    const key = [name, alias].find((one) => one !== undefined && Object.hasOwn(values, one))
    return key === undefined ? undefined : values[key]
  }
  const missing = inputs.filter((input) => input.required && inputValue(input) === undefined)
  if (missing.length > 0)
    return { problem: `The script needs the input ${missing.map(({ name }) => name).join(", ")}.` }
  const names = new Set(inputs.flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]))
  const undeclared = Object.keys(values).find((name) => !names.has(name))
  if (undeclared !== undefined)
    return {
      problem: `The script declares no input ${JSON.stringify(undeclared)}. It declares: ${[...names].join(", ") || "none"}.`,
    }
  return {
    values: Object.fromEntries(
      inputs.map((input) => [input.name, inputValue(input) ?? input.default ?? null]),
    ),
  }
}
