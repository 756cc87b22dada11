import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { locateYaml, readYaml } from "../../../definitions/formats/document/yaml.ts"
import { listPartPaths, placeOfPart } from "../../../definitions/formats/format.ts"
import { diagnose, type Locate, type ProblemPlace } from "../../../definitions/formats/problem.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { findValueSpan } from "../../../definitions/rules/entry-place.ts"
import { getConfiguredLevel } from "../../../definitions/rules/levels.ts"
import { makeReplacementFix } from "../../../definitions/rules/spelling-fix.ts"
import type { Diagnostic, DiagnosticSeverity } from "../../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, mapOf } from "../../../ground/message.ts"
import type { RetiringName } from "../../../world/models/retiring.ts"
import type { ProcessContext } from "../command.ts"
import { createConfiguredModels } from "../models.ts"

/** Findings for definitions and configuration files that name a model which is retired, or will be soon. */
export async function findRetiredModels(
  surroundings: Pick<ProcessContext, "directory" | "environment" | "now">,
  { registry, configuration: { rules } }: Workspace,
  configuration: Configuration,
  isAsked: (file: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const level = getConfiguredLevel("model-retired", rules)
  if (level === "off") return []
  const models = createConfiguredModels(surroundings, configuration)
  const diagnostics: Diagnostic[] = []
  for (const { candidate, state } of registry.entries()) {
    const { agent, file } = candidate
    if (state.type !== "active" || !file || !isAsked(file.path) || agent.model === undefined) continue
    const { format } = agent.origin
    const names = await models.retiring({ owner: "", choice: agent.model, format, policy: "lenient" })
    // A retired model behind a preset is reported in the file that defines the preset.
    for (const name of names.filter(({ written }) => !isPreset(written, configuration)))
      diagnostics.push(...diagnosticsOf(name, file.path, file, placesIn(file, name), level))
  }
  // Files are checked one by one: a user setting that this project overrides still takes effect in other projects.
  for (const file of configuration.files) {
    const text = textOf(file)
    const source = { text, locate: yamlLocator(text) }
    for (const { path, value } of modelsIn(text)) {
      if (isPreset(value, configuration)) continue
      for (const name of await models.retiring({ owner: "", choice: value, policy: "lenient" }))
        diagnostics.push(...diagnosticsOf(name, file, source, [{ type: "value", path }], level))
    }
  }
  return diagnostics
}

function diagnosticsOf(
  { rule, state, message, written, instead }: RetiringName,
  file: string,
  source: { readonly text: string; readonly locate: Locate },
  places: readonly [ProblemPlace, ...ProblemPlace[]],
  level: DiagnosticSeverity | undefined,
): readonly Diagnostic[] {
  const severity = level ?? (state === "retired" ? "warning" : "info")
  const fix =
    state === "retired" && instead !== undefined
      ? makeReplacementFix(
          places.map((place) => ({ right: instead, span: () => findValueSpan({ source }, place, written) })),
        )
      : undefined
  return diagnose(file, source.text, source.locate, [
    { code: rule, severity, message, at: places[0], ...(fix && { fix }) },
  ])
}

/** The places where a definition names a model. A binding has the name one level deeper; a Codex file may have both. */
function placesIn(
  file: DefinitionFile,
  { index, written }: RetiringName,
): readonly [ProblemPlace, ...ProblemPlace[]] {
  const { format, locate } = file
  const places = (format ? listPartPaths(format, "model") : []).map((path): ProblemPlace => {
    const place = { type: "value", path: index === undefined ? path : [...path, index] } as const
    const inner: ProblemPlace = { type: "value", path: [...place.path, "model"] }
    return locate(inner) ? inner : place
  })
  const [first, ...others] = places.filter((place) => findValueSpan({ source: file }, place, written))
  return first ? [first, ...others] : [placeOfPart(format, "model", index, locate)]
}

const isPreset = (name: string, { models, presets }: Configuration): boolean =>
  Object.hasOwn(presets, name.trim()) || Object.hasOwn(models, name.trim())

interface ConfiguredModel {
  readonly path: readonly string[]
  readonly value: string
}

/** The default model and every preset that a configuration file names. */
function modelsIn(text: string): readonly ConfiguredModel[] {
  const yaml = readYaml(text)
  const { model, models, presets } = mapOf(yaml.type === "invalid" ? undefined : yaml.value)
  return [
    ...(typeof model === "string" ? [{ path: ["model"], value: model }] : []),
    ...Object.entries({ models, presets }).flatMap(([key, entries]) =>
      Object.entries(mapOf(entries)).flatMap(([name, entry]) => presetName([key, name], entry)),
    ),
  ]
}

function presetName(path: readonly string[], entry: Json): readonly ConfiguredModel[] {
  if (typeof entry === "string") return [{ path, value: entry }]
  return isMap(entry) && typeof entry.model === "string"
    ? [{ path: [...path, "model"], value: entry.model }]
    : []
}

function textOf(file: string): string {
  const reading = readSourceFile(file)
  return reading.type === "refused" ? "" : reading.source.text
}

function yamlLocator(text: string): Locate {
  const locate = locateYaml(text)
  return (place) =>
    place.type === "span" ? place.span : place.type === "value" ? locate(place.path, "value") : undefined
}
