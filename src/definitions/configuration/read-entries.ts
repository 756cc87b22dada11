import { knownNames } from "../../ground/errors.ts"
import { bySpelling, fitValue } from "../../ground/keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { reportReserved } from "../formats/fields/reserved-parameters.ts"
import type { Problem, Report } from "../formats/problem.ts"
import { type EntryKey, presetKeys, providerKeys } from "./entry-key.ts"

export interface Entries {
  /** `providers`, `presets`, `models` or `executors`. */
  readonly key: string
  /** Whose file it is. */
  readonly of: "user" | "project"
  readonly report: Report
}

/**
 * The entries below `providers:`, in one spelling. What is wrong is left out and said. A project's file may say where
 * a provider is, which is then an `endpoint`: used, but not given a key unless the person's own file lists it.
 */
export function readProviders(map: JsonMap, entries: Entries): JsonMap {
  const read: [string, JsonMap][] = []
  for (const [id, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, id]
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(id))
      entries.report(
        wrong(
          `\`${at.join(".")}\` is no name for a provider: use letters, digits, \`.\`, \`_\` and \`-\`; it is left out.`,
          at,
        ),
      )
    else if (!isMap(value))
      entries.report(
        wrong(`\`${at.join(".")}\` must be keys and values, such as \`baseUrl\`; it is left out.`, at),
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

/** The entries below `presets:` or `models:`: names of models, and objects. */
export function readPresets(map: JsonMap, entries: Entries): JsonMap {
  const read: [string, Json][] = []
  for (const [name, value] of Object.entries(map)) {
    if (value === null) continue
    const at = [entries.key, name]
    if (typeof value === "string" && value.trim() !== "") read.push([name, value.trim()])
    else if (!isMap(value))
      entries.report(
        wrong(
          `\`${at.join(".")}\` must be the name of a model, or an object with \`model\`; it is left out.`,
          at,
        ),
      )
    else {
      const entry = readEntry(value, at, presetKeys, entries)
      if (entry.parameters !== undefined && isMap(entry.parameters))
        reportReserved(entry.parameters, [...at, "parameters"], entries.report)
      if (entry.model !== undefined) read.push([name, entry])
      else if (value.model === undefined)
        entries.report(wrong(`\`${at.join(".")}\` names no \`model\`; it is left out.`, at))
    }
  }
  return Object.fromEntries(read)
}

export function readEntry(
  value: JsonMap,
  at: readonly string[],
  keys: readonly EntryKey[],
  entries: Entries,
): JsonMap {
  const read: [string, Json][] = []
  const table = bySpelling(keys)
  for (const [name, given] of Object.entries(value)) {
    if (given === null) continue
    const place = [...at, name]
    const known = table.get(name)
    if (known === undefined)
      entries.report(isSecretName(name) ? secret(place, entries) : unknownKey(place, keys))
    else if (known.of === "user" && entries.of === "project") entries.report(notHere(place, entries))
    else {
      const fit = fitValue(known.type, given)
      const problem = "expected" in fit ? `must be ${fit.expected}` : known.problemOf?.(fit.value)
      if (problem !== undefined)
        entries.report(wrong(`\`${place.join(".")}\` ${problem}; it is left out.`, place))
      else if ("value" in fit && known.isSecret?.(fit.value)) entries.report(secret(place, entries))
      else if ("value" in fit) read.push([known.key, fit.value])
    }
  }
  return Object.fromEntries(read)
}

const isSecretName = (name: string): boolean =>
  /^(api[_-]?key|(auth[_-]?)?token|secret|password)$/i.test(name)

/** At the start of the file: at its own place the line would be shown, and with it the key. */
const secret = (at: readonly string[], { key }: Entries): Problem => ({
  code: "configuration-secret",
  severity: "error",
  message: `\`${at.join(".")}\` is, or may be, a key written out, and is left out: whoever sees this file has it. Put the key into a variable of the environment and name that, such as ${key === "executors" ? "`environment: [ACME_API_KEY]`" : "`key: ACME_API_KEY` or `headerVariables: {x-api-key: ACME_API_KEY}`, or name a `keyFile`"}.`,
  at: { type: "start" },
})

const notHere = (at: readonly string[], { key }: Entries): Problem =>
  wrong(
    `\`${at.join(".")}\` is left out: only your own configuration may say it, because a project's file could ${key === "executors" ? "give a program of its own your keys, or the run of your files," : "send your key elsewhere"} with it.`,
    at,
  )

const unknownKey = (at: readonly string[], keys: readonly EntryKey[]): Problem => ({
  code: "configuration-key",
  severity: "error",
  message: `\`${at.join(".")}\` is no setting and has no effect. ${knownNames(
    at.at(-1)!,
    keys.map(({ key }) => key),
  )}`,
  at: { type: "key", path: at },
})

export const wrong = (message: string, at: readonly string[]): Problem => ({
  code: "configuration-type",
  severity: "error",
  message,
  at: { type: "value", path: at },
})
