import { locateYaml, readYaml } from "../../../definitions/formats/document/yaml.ts"
import { diagnose, type Problem } from "../../../definitions/formats/problem.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { HookFile } from "../../../definitions/registry/hook-files.ts"
import { applyLevels, type Levels } from "../../../definitions/rules/levels.ts"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json } from "../../../ground/message.ts"

/** Findings for Gobby pipelines. Cadre does not run them, and each finding says how to convert the pipeline. */
export const checkForeignPipelines = (files: readonly HookFile[], levels: Levels): readonly Diagnostic[] =>
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
      applyLevels([notFollowed(yaml.value)], levels),
    )
  })

function notFollowed({ steps, webhooks }: { readonly [key: string]: Json }): Problem {
  const stepMaps = (Array.isArray(steps) ? steps : []).map((step: Json) => (isMap(step) ? step : {}))
  const foreign = stepMaps.flatMap((step) => {
    const kind = foreignKinds.find((kind) => kind in step)
    return kind === undefined ? [] : [`\`${String(step.id ?? "?")}\` (${kind})`]
  })
  const without = [...foreign, ...(webhooks === undefined ? [] : ["`webhooks`"])]
  const rest =
    without.length === 0
      ? "All its steps can be converted."
      : `These parts have no equivalent: ${without.join(", ")}. Let an agent do them.`
  return {
    code: "pipeline-foreign",
    severity: "warning",
    message: `Cadre does not run Gobby pipelines. Rewrite it as an agent with a \`pipeline\` in .cadre/agents: prompts become steps for agents, \`condition\` becomes \`when\`, \`\${{ inputs.x }}\` becomes \`{{ inputs.x }}\`. ${rest}`,
    at: { type: "value", path: ["type"] },
  }
}

const foreignKinds = ["exec", "mcp", "activate_workflow"]
