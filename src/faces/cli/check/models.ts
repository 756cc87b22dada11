import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { locateYaml, readYaml } from "../../../definitions/formats/document/yaml.ts"
import { placeOf, placesOf } from "../../../definitions/formats/format.ts"
import { diagnose, type Locate, type Place } from "../../../definitions/formats/problem.ts"
import { readSourceFile } from "../../../definitions/formats/source.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { valueSpan } from "../../../definitions/rules/entry-place.ts"
import { levelOf } from "../../../definitions/rules/levels.ts"
import { repair } from "../../../definitions/rules/spelling-fix.ts"
import type { Diagnostic, Severity } from "../../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json, mapOf } from "../../../ground/message.ts"
import type { RetiringName } from "../../../world/models/retiring.ts"
import type { Surroundings } from "../command.ts"
import { modelsOf } from "../models.ts"

/** Models that are retired, or soon: where definitions and the configuration name them. */
export async function retiredModels(
  surroundings: Pick<Surroundings, "directory" | "environment" | "now">,
  { registry, configuration: { rules } }: Workspace,
  configuration: Configuration,
  isAsked: (file: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const level = levelOf("model-retired", rules)
  if (level === "off") return []
  const models = modelsOf(surroundings, configuration)
  const found: Diagnostic[] = []
  for (const { candidate, state } of registry.entries()) {
    const { agent, file } = candidate
    if (state.type !== "active" || !file || !isAsked(file.path) || agent.model === undefined) continue
    const { format } = agent.origin
    const names = await models.retiring({ owner: "", choice: agent.model, format, policy: "lenient" })
    // What a preset stands for is told where the preset is written.
    for (const name of names.filter(({ written }) => !isPreset(written, configuration)))
      found.push(...diagnosticsOf(name, file.path, file, placesIn(file, name), level))
  }
  // Each file by its own words: what a project overrides still holds in every other project.
  for (const file of configuration.files) {
    const text = textOf(file)
    const source = { text, locate: yamlLocator(text) }
    for (const { path, value } of modelsIn(text)) {
      if (isPreset(value, configuration)) continue
      for (const name of await models.retiring({ owner: "", choice: value, policy: "lenient" }))
        found.push(...diagnosticsOf(name, file, source, [{ type: "value", path }], level))
    }
  }
  return found
}

function diagnosticsOf(
  { rule, state, message, written, instead }: RetiringName,
  file: string,
  source: { readonly text: string; readonly locate: Locate },
  places: readonly [Place, ...Place[]],
  level: Severity | undefined,
): readonly Diagnostic[] {
  const severity = level ?? (state === "retired" ? "warning" : "info")
  const fix =
    state === "retired" && instead !== undefined
      ? repair(places.map((place) => ({ right: instead, span: () => valueSpan({ source }, place, written) })))
      : undefined
  return diagnose(file, source.text, source.locate, [
    { code: rule, severity, message, at: places[0], ...(fix && { fix }) },
  ])
}

/** Where a definition names a model: a binding has the name one level further down, and a Codex file may have both. */
function placesIn(file: ReadFile, { index, written }: RetiringName): readonly [Place, ...Place[]] {
  const { format, locate } = file
  const places = (format ? placesOf(format, "model") : []).map((path): Place => {
    const place = { type: "value", path: index === undefined ? path : [...path, index] } as const
    const inner: Place = { type: "value", path: [...place.path, "model"] }
    return locate(inner) ? inner : place
  })
  const [first, ...others] = places.filter((place) => valueSpan({ source: file }, place, written))
  return first ? [first, ...others] : [placeOf(format, "model", index, locate)]
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
