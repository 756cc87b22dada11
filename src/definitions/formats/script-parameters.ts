import path from "node:path"
import type { ToolDefinition } from "../../agent/agent.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import { readScriptHeader } from "../../language/script/header.ts"
import { deriveScriptParameters, type ScriptParameters } from "../../language/script/parameters.ts"
import { readPym } from "../../language/script/read-pym.ts"
import { readSourceFile } from "./source.ts"

/** The parameters that a script declares, with the changes of the definition; or why they are not known. */
export type DerivedParameters = ScriptParameters | { readonly problem: string }

/** Derives the parameters of a tool from its script. Reads the script and runs nothing. Never throws. */
export function deriveParameters(
  { script, inputs }: Pick<ToolDefinition, "script" | "inputs">,
  format: string,
): DerivedParameters {
  const reading = readSourceFile(script)
  if (reading.type === "refused") return { problem: reading.problem.message }
  const { text } = reading.source
  const declared = path.extname(script) === ".pym" ? readPym(text) : readScriptHeader(text)
  const broken = declared.problems.find(({ severity }) => severity === "error")
  if (broken) return { problem: `${broken.code}: ${broken.message}` }
  const { injectedInputs = [] } = getFormatTraits(format)
  return deriveScriptParameters(declared.inputs, {
    injected: injectedInputs,
    ...(inputs && { overrides: inputs }),
  })
}
