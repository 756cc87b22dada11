import { listKnownNames } from "../../ground/errors.ts"
import { fitValue, indexBySpelling } from "../../ground/keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { reportReserved } from "../formats/fields/reserved-parameters.ts"
import type { Problem, ReportProblem } from "../formats/problem.ts"
import { type EntryKey, presetKeys, providerKeys } from "./entry-key.ts"

export interface EntryContext {
  /** `providers`, `presets`, `models` or `executors`. */
  readonly key: string
  /** The owner of the file. */
  readonly of: "user" | "project"
  readonly report: ReportProblem
}

/**
 * Reads the entries below `providers:` in one spelling. Invalid parts are left out and reported. An address in a
 * project's file becomes an `endpoint`, which gets a key only if the user's own file lists it.
 */
export function readProviders(map: JsonMap, entries: EntryContext): JsonMap {
  const read: [string, JsonMap][] = []
  for (const [id, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, id]
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id))
      entries.report(
        makeSettingProblem(
          `\`${at.join(".")}\` is not a valid name of a provider: use letters, digits, \`.\`, \`_\` and \`-\`. No run starts with this setting.`,
          at,
        ),
      )
    else if (!isMap(value))
      entries.report(
        makeSettingProblem(
          `\`${at.join(".")}\` must be a map with keys such as \`baseUrl\`. No run starts with this setting.`,
          at,
        ),
      )
    else {
      const { baseUrl, ...rest } = readEntry(value, at, providerKeys, entries)
      read.push([
        id,
        baseUrl === undefined ? rest : { ...rest, [entries.of === "user" ? "baseUrl" : "endpoint"]: baseUrl },
      ])
    }
  }
  return Object.fromEntries(read)
}

/** Reads the entries below `presets:` or `models:`, which are names of models or objects. */
export function readPresets(map: JsonMap, entries: EntryContext): JsonMap {
  const read: [string, Json][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, name]
    if (typeof value === "string" && value.trim() !== "") read.push([name, value.trim()])
    else if (!isMap(value))
      entries.report(
        makeSettingProblem(
          `\`${at.join(".")}\` must be the name of a model, or an object with \`model\`. No run starts with this setting.`,
          at,
        ),
      )
    else {
      const entry = readEntry(value, at, presetKeys, entries)
      if (entry.parameters !== undefined && isMap(entry.parameters))
        reportReserved(entry.parameters, [...at, "parameters"], entries.report)
      if (entry.model !== undefined) read.push([name, entry])
      else if (value.model === undefined)
        entries.report(
          makeSettingProblem(`\`${at.join(".")}\` names no \`model\`. No run starts with this setting.`, at),
        )
    }
  }
  return Object.fromEntries(read)
}

export function readEntry(
  value: JsonMap,
  at: readonly string[],
  keys: readonly EntryKey[],
  entries: EntryContext,
): JsonMap {
  const read: [string, Json][] = []
  const table = indexBySpelling(keys)
  for (const [name, entry] of Object.entries(value)) {
    if (entry === null) continue
    const place = [...at, name]
    const entryKey = table.get(name)
    if (entryKey === undefined)
      entries.report(isSecretName(name) ? secret(place, entries) : unknownKey(place, keys))
    else if (entryKey.of === "user" && entries.of === "project") entries.report(notHere(place, entries))
    else {
      const fit = fitValue(entryKey.type, entry)
      const problem = "expected" in fit ? `must be ${fit.expected}` : entryKey.problemOf?.(fit.value)
      if (problem !== undefined)
        entries.report(
          makeSettingProblem(`\`${place.join(".")}\` ${problem}. No run starts with this setting.`, place),
        )
      else if ("value" in fit && entryKey.isSecret?.(fit.value)) entries.report(secret(place, entries))
      else if ("value" in fit) read.push([entryKey.key, fit.value])
    }
  }
  return Object.fromEntries(read)
}

const isSecretName = (name: string): boolean =>
  /^(api[_-]?key|(auth[_-]?)?token|secret|password)$/i.test(name)

/** Reported at the start of the file: at its own place, the finding would show the line with the key. */
const secret = (at: readonly string[], { key }: EntryContext): Problem => ({
  code: "configuration-secret",
  severity: "error",
  message: `\`${at.join(".")}\` is, or may be, a secret key: everyone who sees this file could use it. No run starts with this setting. Put the key into an environment variable and name that, such as ${key === "executors" ? "`environment: [ACME_API_KEY]`" : "`key: ACME_API_KEY` or `headerVariables: {x-api-key: ACME_API_KEY}`, or name a `keyFile`"}.`,
  at: { type: "start" },
})

const notHere = (at: readonly string[], { key }: EntryContext): Problem =>
  makeSettingProblem(
    `\`${at.join(".")}\` is not allowed in a project's configuration: only your own may set it. A project could use it to ${key === "executors" ? "give its own program your keys, or access to your files" : "send your key elsewhere"}.`,
    at,
  )

const unknownKey = (at: readonly string[], keys: readonly EntryKey[]): Problem => ({
  code: "configuration-key",
  severity: "error",
  message: `\`${at.join(".")}\` is not a setting and has no effect. ${listKnownNames(
    at.at(-1)!,
    keys.map(({ key }) => key),
  )}`,
  at: { type: "key", path: at },
})

export const makeSettingProblem = (message: string, at: readonly string[]): Problem => ({
  code: "configuration-type",
  severity: "error",
  message,
  at: { type: "value", path: at },
})
