import os from "node:os"
import path from "node:path"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { combineValue, depthOf, type LayerOf, unlocked } from "./combine.ts"
import type { ConfigurationOptions } from "./configuration.ts"
import { readEnvironment } from "./environment.ts"
import { isThere, projectFile, projectFiles, projectFolder, userConfigurationFolder } from "./folders.ts"
import { configurationKeys } from "./keys.ts"
import { misnamedBeside } from "./misnamed.ts"
import { ownTools, readConfigurationFile } from "./read-file.ts"

/** Where a value was said. */
export type Said =
  | { readonly type: "default" }
  | { readonly type: "user" | "project"; readonly file: string }
  | { readonly type: "environment"; readonly variable: string }

export interface SaidValue {
  readonly value: Json
  readonly from: Said
}

/** One setting as it holds, and who said so. An entry of a map is a setting of its own. */
export interface ExplainedSetting {
  readonly key: string
  /** Absent where nobody says anything. */
  readonly value?: Json
  readonly from: Said
  /** What holds as long as the project is not trusted, where that is something else. */
  readonly untrusted?: { readonly value?: Json; readonly from: Said }
}

export interface ExplainedConfiguration {
  readonly settings: readonly ExplainedSetting[]
  /** By key, everything that is said of a setting, whether it holds or not: the later source first. */
  readonly said: ReadonlyMap<string, readonly SaidValue[]>
  readonly files: readonly {
    readonly file: string
    readonly of: "user" | "project"
    readonly exists: boolean
  }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Says of every setting where it comes from. The readers are those of `readConfiguration`, and so are the values. */
export function explainConfiguration({
  cwd,
  home = os.homedir(),
  environment = process.env,
  root,
}: ConfigurationOptions): ExplainedConfiguration {
  const user = userConfigurationFolder(environment, home)
  const project = projectFolder({ cwd, home, root })
  const folder = project ?? root ?? cwd
  const places = [
    { file: path.join(user, "config.yaml"), folder: user, of: "user" as const, boundary: undefined },
    { file: projectFile(folder), folder, of: "project" as const, boundary: root ?? folder },
  ]
    .filter(({ file }, index, all) => all.findIndex((other) => other.file === file) === index)
    .map((place) => ({ ...place, exists: isThere(place.file) }))
  const readFiles = places
    .filter(({ exists }) => exists)
    .map(({ file, folder, of, boundary }) => ({
      of,
      layer: readConfigurationFile(file, { folder, home, of, boundary }),
      said: (): Said => ({ type: of, file }),
    }))
  const variables = new Map(configurationKeys.map(({ key, variable }) => [key, variable]))
  const fromEnvironment = readEnvironment(environment)
  const layers: readonly Source[] = [
    { of: "default", values: defaults(), said: () => ({ type: "default" }) },
    ...readFiles.map(({ of, layer, said }) => ({ of, values: layer.values, said })),
    {
      of: "environment",
      values: fromEnvironment.values,
      said: (key) => ({ type: "environment", variable: variables.get(key) ?? key }),
    },
  ]
  const tools = ownTools(readFiles.map(({ layer }) => layer))
  const trusted = settled(layers)
  const own = settled(layers.filter(({ of }) => of !== "project"))
  return {
    settings: [...trusted].map(([key, setting]) => ({
      key,
      ...setting,
      ...(setting.from.type === "project" && { untrusted: own.get(key) ?? { from: { type: "default" } } }),
    })),
    said: everythingSaid(layers),
    files: places.map(({ file, of, exists }) => ({ file, of, exists })),
    diagnostics: [
      ...readFiles.flatMap(({ layer }) => [...layer.diagnostics, ...(layer.unknownTools?.(tools) ?? [])]),
      ...fromEnvironment.diagnostics,
      ...misnamedBeside([path.join(user, "config.yaml"), ...projectFiles({ cwd, home, root })]),
    ],
  }
}

interface Source {
  readonly of: LayerOf
  readonly values: ReadonlyMap<string, Json>
  said(key: string): Said
}

interface Setting {
  readonly value?: Json
  readonly from: Said
}

const defaults = (): ReadonlyMap<string, Json> =>
  new Map(configurationKeys.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])))

/** In the order of the keys; later sources win, entry by entry where a key holds a map. */
function settled(sources: readonly Source[]): ReadonlyMap<string, Setting> {
  const all = new Map<string, Setting>()
  const locked = new Map(sources.flatMap(({ values }) => [...values]))
  for (const known of configurationKeys) {
    const { key } = known
    const own = new Map<string, Setting>()
    for (const { of, values, said } of sources) {
      const value = unlocked(known, values.get(key), of, locked)
      if (value === undefined) continue
      for (const [name, part] of parts(key, value, depthOf(known))) {
        const before = own.get(name)
        const combined = combineValue(known, before?.value, part, of)
        // What was said before may still be what holds.
        own.set(name, combined === before?.value ? before : { value: combined, from: said(key) })
      }
    }
    // An empty map says nothing beside entries.
    if (own.size > 1 && isEmptyMap(own.get(key)?.value)) own.delete(key)
    if (own.size === 0) own.set(key, { from: { type: "default" } })
    for (const [name, setting] of own) all.set(name, setting)
  }
  return all
}

function everythingSaid(sources: readonly Source[]): ReadonlyMap<string, readonly SaidValue[]> {
  const all = new Map<string, SaidValue[]>()
  for (const known of configurationKeys)
    for (const { values, said } of sources.toReversed()) {
      const value = values.get(known.key)
      if (value === undefined || isEmptyMap(value)) continue
      for (const [name, part] of parts(known.key, value, depthOf(known)))
        all.set(name, [...(all.get(name) ?? []), { value: part, from: said(known.key) }])
    }
  return all
}

function parts(key: string, value: Json, depth: number): readonly (readonly [string, Json])[] {
  if (depth === 0 || !isMap(value) || Object.keys(value).length === 0) return [[key, value]]
  return Object.entries(value).flatMap(([name, inner]) => parts(`${key}.${name}`, inner, depth - 1))
}

const isEmptyMap = (value: Json | undefined): boolean => isMap(value) && Object.keys(value).length === 0
