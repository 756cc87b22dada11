import type { Configuration } from "../configuration/configuration.ts"
import type { Diagnostic, Severity } from "../diagnostics/diagnostic.ts"
import { placeOf } from "../formats/format.ts"
import { diagnose, type Locate, type Place } from "../formats/problem.ts"
import { readSourceFile } from "../formats/source.ts"
import { locateYaml } from "../formats/yaml.ts"
import { isMap, type Json } from "../message.ts"
import type { RetiringName } from "../models/retiring.ts"
import type { ReadFile } from "../registry/file.ts"
import type { Workspace } from "../registry/workspace.ts"
import { valueSpan } from "../rules/entry-place.ts"
import { levelOf } from "../rules/levels.ts"
import { repair } from "../rules/spelling-fix.ts"
import type { Surroundings } from "./command.ts"
import { modelsOf } from "./models.ts"

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
      found.push(...diagnosticsOf(name, file.path, file, placeIn(file, name), level))
  }
  for (const { file, path, value } of configuredModels(configuration)) {
    if (isPreset(value, configuration)) continue
    const text = textOf(file)
    const source = { text, locate: yamlLocator(text) }
    const place = { type: "value", path } as const
    // Another file may say it otherwise, and its own words are read there.
    if (valueSpan({ source }, place, value) === undefined) continue
    for (const name of await models.retiring({ owner: "", choice: value, policy: "lenient" }))
      found.push(...diagnosticsOf(name, file, source, place, level))
  }
  return found
}

function diagnosticsOf(
  { rule, state, message, written, instead }: RetiringName,
  file: string,
  source: { readonly text: string; readonly locate: Locate },
  at: Place,
  level: Severity | undefined,
): readonly Diagnostic[] {
  const severity = level ?? (state === "retired" ? "warning" : "info")
  const fix =
    state === "retired" && instead !== undefined
      ? repair([{ right: instead, span: () => valueSpan({ source }, at, written) }])
      : undefined
  return diagnose(file, source.text, source.locate, [
    { code: rule, severity, message, at, ...(fix && { fix }) },
  ])
}

/** A binding has the name one level further down. */
function placeIn({ format, locate }: ReadFile, { index }: RetiringName): Place {
  const place = placeOf(format, "model", index, locate)
  if (place.type !== "value") return place
  const inner: Place = { type: "value", path: [...place.path, "model"] }
  return locate(inner) ? inner : place
}

const isPreset = (name: string, { models, presets }: Configuration): boolean =>
  Object.hasOwn(presets, name.trim()) || Object.hasOwn(models, name.trim())

interface ConfiguredModel {
  readonly file: string
  readonly path: readonly string[]
  readonly value: string
}

/** The default model and every preset, in each file that may say them. */
function configuredModels({ model, models, presets, files }: Configuration): readonly ConfiguredModel[] {
  const named = [
    ...(model === undefined ? [] : [{ path: ["model"], value: model }]),
    ...Object.entries({ models, presets }).flatMap(([key, entries]) =>
      Object.entries(entries).flatMap(([name, entry]) => presetName([key, name], entry)),
    ),
  ]
  return files.flatMap((file) => named.map((one) => ({ file, ...one })))
}

function presetName(path: readonly string[], entry: Json): readonly Omit<ConfiguredModel, "file">[] {
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
