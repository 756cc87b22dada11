import { locateYaml, readYaml } from "../../../definitions/formats/document/yaml.ts"
import { diagnose, type Problem } from "../../../definitions/formats/problem.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { HookFile } from "../../../definitions/registry/hook-files.ts"
import { atLevels, type Levels } from "../../../definitions/rules/levels.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json } from "../../../ground/message.ts"

/** Pipelines of Gobby: they are not followed, and each is told what of it has a place here. */
export const foreignPipelines = (files: readonly HookFile[], levels: Levels): readonly Diagnostic[] =>
  files.flatMap(({ file, format, boundary }) => {
    const reading = format === "gobby" ? readSourceFile(file, boundary) : undefined
    if (reading?.type !== "source") return []
    const { text } = reading.source
    const yaml = readYaml(text)
    if (yaml.type === "invalid" || !isMap(yaml.value) || yaml.value.type !== "pipeline") return []
    const locate = locateYaml(text)
    return diagnose(
      file,
      text,
      (place) =>
        place.type === "value" || place.type === "key" ? locate(place.path, place.type) : undefined,
      atLevels([notFollowed(yaml.value)], levels),
    )
  })

function notFollowed({ steps, webhooks }: { readonly [key: string]: Json }): Problem {
  const told = (Array.isArray(steps) ? steps : []).map((step: Json) => (isMap(step) ? step : {}))
  const foreign = told.flatMap((step) => {
    const kind = foreignKinds.find((kind) => kind in step)
    return kind === undefined ? [] : [`\`${String(step.id ?? "?")}\` (${kind})`]
  })
  const without = [...foreign, ...(webhooks === undefined ? [] : ["`webhooks`"])]
  const rest =
    without.length === 0
      ? "All its steps have a place there."
      : `There is no place for ${without.join(", ")}: have an agent do it.`
  return {
    code: "pipeline-foreign",
    severity: "warning",
    message: `This pipeline of Gobby is not followed. Write it as an agent with a \`pipeline\`, below .cadre/agents: its prompts become steps for agents, \`condition\` becomes \`when\`, \`\${{ inputs.x }}\` becomes \`{{ inputs.x }}\`. ${rest}`,
    at: { type: "value", path: ["type"] },
  }
}

const foreignKinds = ["exec", "mcp", "activate_workflow"]
