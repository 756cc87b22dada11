import path from "node:path"
import { type JsonMap, mapOf } from "../../ground/message.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { readWorkflowFile } from "../workflow/files.ts"
import type { NamedWorkflow } from "../workflow/source.ts"
import { isTrusted, type TrustPolicy } from "./trusted-agents.ts"

/** The workflows that agents may name. An untrusted one keeps its name: an agent that names it does not start. */
export function readTrustedWorkflows(
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: TrustPolicy,
): readonly NamedWorkflow[] {
  const isFollowed = ({ of, file }: HookFile, hash: string | undefined) =>
    of === "user" || isTrusted(trusting, file, hash)
  return hookFiles.flatMap((place) => {
    const { named, other, hash } = readWorkflowFile(place)
    if (!named) return other ? [other] : []
    if (!isFollowed(place, hash))
      return [
        {
          ...named,
          isUntrusted: true,
          refused: `its file ${place.file} is not trusted in its current form. Run \`cadre trust\` to review it.`,
        },
      ]
    return [withImports(named, (file) => rulesIn(file, hookFiles, isFollowed))]
  })
}

/** Adds the rules that a workflow of Gobby imports. Its own rules override them, and missing ones stay missing. */
function withImports(named: NamedWorkflow, rulesOf: (name: string) => JsonMap): NamedWorkflow {
  const { imports, rule_definitions, ...workflow } = mapOf(named.workflow)
  if (!Array.isArray(imports)) return named
  const imported = Object.assign({}, ...imports.map((name) => rulesOf(String(name)))) as JsonMap
  return {
    ...named,
    workflow: { ...workflow, imports, rule_definitions: { ...imported, ...mapOf(rule_definitions ?? null) } },
  }
}

function rulesIn(
  name: string,
  files: readonly HookFile[],
  isFollowed: (place: HookFile, hash: string) => boolean,
): JsonMap {
  const place = files.findLast(
    ({ file, format }) => format === "gobby" && path.basename(file).replace(/\.ya?ml$/i, "") === name,
  )
  const reading = place && readSourceFile(place.file, place.boundary)
  if (reading?.type !== "source" || !isFollowed(place!, reading.source.hash)) return {}
  const yaml = readYaml(reading.source.text)
  return yaml.type === "value" ? mapOf(mapOf(yaml.value).rule_definitions ?? null) : {}
}
