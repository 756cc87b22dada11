import type { DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import type { Problem } from "../formats/problem.ts"

/** The severities that the configuration sets, by code of the finding. */
export type Levels = { readonly [code: string]: DiagnosticSeverity | "off" }

/** Applies the configured severities to findings. The configuration cannot change findings for which `isFixed` is true. */
export function applyLevels(
  problems: readonly Problem[],
  levels: Levels,
  isFixed: (problem: Problem) => boolean = () => false,
): readonly Problem[] {
  if (Object.keys(levels).length === 0) return problems
  return problems.flatMap((problem) => {
    const level = isFixed(problem) ? undefined : getConfiguredLevel(problem.code, levels)
    if (level === "off") return []
    return level === undefined ? problem : { ...problem, severity: level }
  })
}

export const getConfiguredLevel = (code: string, levels: Levels): DiagnosticSeverity | "off" | undefined =>
  Object.hasOwn(levels, code) ? levels[code] : undefined
