import type { Severity } from "../diagnostics/diagnostic.ts"
import type { Problem } from "../formats/problem.ts"

/** By code: what the configuration makes of a finding. */
export type Levels = { readonly [code: string]: Severity | "off" }

/** The findings as the configuration wants them. */
export function atLevels(problems: readonly Problem[], levels: Levels): readonly Problem[] {
  return problems.flatMap((problem) => {
    const level = levelOf(problem.code, levels)
    if (level === "off") return []
    return level === undefined ? problem : { ...problem, severity: level }
  })
}

export const levelOf = (code: string, levels: Levels): Severity | "off" | undefined =>
  Object.hasOwn(levels, code) ? levels[code] : undefined
