import type { Json } from "../../../ground/message.ts"
import type { Values } from "../document/document.ts"
import type { Path } from "../document/yaml.ts"
import type { Problem } from "../problem.ts"
import type { Field, NoEffect } from "./field.ts"

/** Keys of a file that are read and that nothing acts on. A key of which something was told already is left out. */
export function keysWithoutEffect(
  fields: ReadonlyMap<string, Field>,
  values: Values,
  told: readonly Problem[],
): readonly Problem[] {
  const problems: Problem[] = []
  for (const key of Object.keys(values)) {
    const effect = fields.get(key)?.effect
    if (effect === undefined || effect === "informs") continue
    for (const one of effect) {
      const path = one.inner === undefined ? [key] : [key, one.inner]
      if (!told.some((problem) => isAbout(problem, path)) && holds(one, key, values))
        problems.push(problemOf(one, path, values[key]!))
    }
  }
  return problems
}

const isAbout = ({ at }: Problem, path: Path): boolean =>
  "path" in at && at.path.every((step, depth) => depth >= path.length || step === path[depth])

function holds({ inner, when }: NoEffect, key: string, values: Values): boolean {
  const value = inner === undefined ? values[key] : (values[key] as Values | null)?.[inner]
  return !saysNothing(value) && (when?.(value!, values) ?? true)
}

/** Whoever writes `false` or nothing at all expects nothing to happen. */
const saysNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0)

const longestShown = 40

function problemOf({ why, severity, code, when }: NoEffect, path: Path, value: Json): Problem {
  // A finding about some values shows which it is.
  const isShown = when && path.length === 1 && typeof value === "string" && value.length <= longestShown
  const shown = isShown ? `${path[0]}: ${value}` : path.join(".")
  return {
    code: "key-without-effect",
    ...(code !== undefined && { code }),
    severity,
    message: `\`${shown}\` has no effect in cadre: ${why}.`,
    at: { type: "key", path },
  }
}
