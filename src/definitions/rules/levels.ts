import type { Severity } from "../../ground/diagnostics/diagnostic.ts"
import type { Problem } from "../formats/problem.ts"

/** By code: what the configuration makes of a finding. */
export type Levels = { readonly [code: string]: Severity | "off" }

/** The findings as the configuration wants them, but for those that it has no say in. */
export function atLevels(
  problems: readonly Problem[],
  levels: Levels,
  isFixed: (problem: Problem) => boolean = () => false,
): readonly Problem[] {
  // Most people configure none.
  if (Object.keys(levels).length === 0) return problems
  return problems.flatMap((problem) => {
    const level = isFixed(problem) ? undefined : levelOf(problem.code, levels)
    if (level === "off") return []
    return level === undefined ? problem : { ...problem, severity: level }
  })
}

export const levelOf = (code: string, levels: Levels): Severity | "off" | undefined =>
  Object.hasOwn(levels, code) ? levels[code] : undefined
