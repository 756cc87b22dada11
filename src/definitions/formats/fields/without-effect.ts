import type { Json } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { Problem } from "../problem.ts"
import type { Field, NoEffect } from "./field.ts"

/** Finds the keys of a file that are read but have no effect. Keys that already have a finding are skipped. */
export function findKeysWithoutEffect(
  fields: ReadonlyMap<string, Field>,
  values: Values,
  reported: readonly Problem[],
): readonly Problem[] {
  const problems: Problem[] = []
  for (const key of Object.keys(values)) {
    const effect = fields.get(key)?.effect
    if (effect === undefined || effect === "informs") continue
    for (const one of effect) {
      const path = one.inner === undefined ? [key] : [key, one.inner]
      if (!reported.some((problem) => isAbout(problem, path)) && applies(one, key, values))
        problems.push(problemOf(one, path, values[key]!))
    }
  }
  return problems
}

const isAbout = ({ at }: Problem, path: KeyPath): boolean =>
  "path" in at && at.path.every((step, depth) => depth >= path.length || step === path[depth])

function applies({ inner, when }: NoEffect, key: string, values: Values): boolean {
  const value = inner === undefined ? values[key] : (values[key] as Values | null)?.[inner]
  return !saysNothing(value) && (when?.(value!, values) ?? true)
}

/** An author who writes `false` or a blank value expects no effect. */
const saysNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0)

const longestShown = 40

function problemOf({ why, severity, code, when }: NoEffect, path: KeyPath, value: Json): Problem {
  // A finding that is about certain values only shows the value.
  const showsValue = when && path.length === 1 && typeof value === "string" && value.length <= longestShown
  const subject = showsValue ? `${path[0]}: ${value}` : path.join(".")
  return {
    code: "key-without-effect",
    ...(code !== undefined && { code }),
    severity,
    message: `\`${subject}\` has no effect in cadre: ${why}.`,
    at: { type: "key", path },
  }
}
