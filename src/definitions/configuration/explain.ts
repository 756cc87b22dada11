import os from "node:os"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { combineValue, getSettingDepth, type LayerSource, removeLocked } from "./combine.ts"
import type { ConfigurationOptions } from "./configuration.ts"
import { readEnvironment } from "./environment.ts"
import {
  findProjectFolder,
  locateUserConfiguration,
  mayExist,
  projectConfigurationFile,
  projectConfigurationFiles,
} from "./folders.ts"
import { configurationKeys } from "./keys.ts"
import { findMisnamedFiles } from "./misnamed.ts"
import { collectOwnTools, readConfigurationFile } from "./read-file.ts"

/** The source of a value. */
export type SettingSource =
  | { readonly type: "default" }
  | { readonly type: "user" | "project"; readonly file: string }
  | { readonly type: "environment"; readonly variable: string }

export interface SourcedValue {
  readonly value: Json
  readonly from: SettingSource
}

/** The effective value of one setting, and its source. An entry of a map is a setting of its own. */
export interface ExplainedSetting {
  readonly key: string
  /** Absent if no source sets it. */
  readonly value?: Json
  readonly from: SettingSource
  /** The effective value as long as the project is not trusted, if it differs. */
  readonly untrusted?: { readonly value?: Json; readonly from: SettingSource }
}

export interface ExplainedConfiguration {
  readonly settings: readonly ExplainedSetting[]
  /** By key: the values of all sources, effective or not, the later source first. */
  readonly values: ReadonlyMap<string, readonly SourcedValue[]>
  readonly files: readonly {
    readonly file: string
    readonly of: "user" | "project"
    readonly exists: boolean
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the source of every setting. The readers and values are those of `readConfiguration`. */
export function explainConfiguration({
  cwd,
  home = os.homedir(),
  environment = process.env,
  root,
}: ConfigurationOptions): ExplainedConfiguration {
  const user = locateUserConfiguration(environment, home)
  const project = findProjectFolder({ cwd, home, root })
  const folder = project ?? root ?? cwd
  const places = [
    { file: path.join(user, "config.yaml"), folder: user, of: "user" as const, boundary: undefined },
    { file: projectConfigurationFile(folder), folder, of: "project" as const, boundary: root ?? folder },
  ]
    .filter(({ file }, index, all) => all.findIndex((other) => other.file === file) === index)
    .map((place) => ({ ...place, exists: mayExist(place.file) }))
  const readFiles = places
    .filter(({ exists }) => exists)
    .map(({ file, folder, of, boundary }) => ({
      of,
      layer: readConfigurationFile(file, { folder, home, of, boundary }),
      sourceOf: (): SettingSource => ({ type: of, file }),
    }))
  const variables = new Map(configurationKeys.map(({ key, variable }) => [key, variable]))
  const fromEnvironment = readEnvironment(environment)
  const layers: readonly Source[] = [
    { of: "default", values: defaults(), sourceOf: () => ({ type: "default" }) },
    ...readFiles.map(({ of, layer, sourceOf }) => ({ of, values: layer.values, sourceOf })),
    {
      of: "environment",
      values: fromEnvironment.values,
      sourceOf: (key) => ({ type: "environment", variable: variables.get(key) ?? key }),
    },
  ]
  const tools = collectOwnTools(readFiles.map(({ layer }) => layer))
  const trustedSettings = resolveSettings(layers)
  const ownSettings = resolveSettings(layers.filter(({ of }) => of !== "project"))
  return {
    settings: [...trustedSettings].map(([key, setting]) => ({
      key,
      ...setting,
      ...(setting.from.type === "project" && {
        untrusted: ownSettings.get(key) ?? { from: { type: "default" } },
      }),
    })),
    values: collectValues(layers),
    files: places.map(({ file, of, exists }) => ({ file, of, exists })),
    diagnostics: [
      ...readFiles.flatMap(({ layer }) => [...layer.diagnostics, ...(layer.unknownTools?.(tools) ?? [])]),
      ...fromEnvironment.diagnostics,
      ...findMisnamedFiles([
        path.join(user, "config.yaml"),
        ...projectConfigurationFiles({ cwd, home, root }),
      ]),
    ],
  }
}

interface Source {
  readonly of: LayerSource
  readonly values: ReadonlyMap<string, Json>
  sourceOf(key: string): SettingSource
}

interface Setting {
  readonly value?: Json
  readonly from: SettingSource
}

const defaults = (): ReadonlyMap<string, Json> =>
  new Map(configurationKeys.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])))

/** Settings in the order of the keys. Later sources override earlier ones, maps entry by entry. */
function resolveSettings(sources: readonly Source[]): ReadonlyMap<string, Setting> {
  const all = new Map<string, Setting>()
  const locked = new Map(sources.flatMap(({ values }) => [...values]))
  for (const settingKey of configurationKeys) {
    const { key } = settingKey
    const own = new Map<string, Setting>()
    for (const { of, values, sourceOf } of sources) {
      const value = removeLocked(settingKey, values.get(key), of, locked)
      if (value === undefined) continue
      for (const [name, part] of parts(key, value, getSettingDepth(settingKey))) {
        const before = own.get(name)
        const combined = combineValue(settingKey, before?.value, part, of)
        // The earlier value may still be the effective one.
        own.set(name, combined === before?.value ? before : { value: combined, from: sourceOf(key) })
      }
    }
    // An empty map is no setting if other sources have entries.
    if (own.size > 1 && isEmptyMap(own.get(key)?.value)) own.delete(key)
    if (own.size === 0) own.set(key, { from: { type: "default" } })
    for (const [name, setting] of own) all.set(name, setting)
  }
  return all
}

function collectValues(sources: readonly Source[]): ReadonlyMap<string, readonly SourcedValue[]> {
  const all = new Map<string, SourcedValue[]>()
  for (const settingKey of configurationKeys)
    for (const { values, sourceOf } of sources.toReversed()) {
      const value = values.get(settingKey.key)
      if (value === undefined || isEmptyMap(value)) continue
      for (const [name, part] of parts(settingKey.key, value, getSettingDepth(settingKey)))
        all.set(name, [...(all.get(name) ?? []), { value: part, from: sourceOf(settingKey.key) }])
    }
  return all
}

function parts(key: string, value: Json, depth: number): readonly (readonly [string, Json])[] {
  if (depth === 0 || !isMap(value) || Object.keys(value).length === 0) return [[key, value]]
  return Object.entries(value).flatMap(([name, inner]) => parts(`${key}.${name}`, inner, depth - 1))
}

const isEmptyMap = (value: Json | undefined): boolean => isMap(value) && Object.keys(value).length === 0
