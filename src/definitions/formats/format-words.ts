import type { Format } from "./format.ts"
import type { Problem } from "./problem.ts"

/** Rewords findings as the format's own tool reports them, if its words or codes are part of its contract. */
export function useFormatWords(
  { messages, repairs, foreignCode }: Format,
  problems: readonly Problem[],
  file: string,
): readonly Problem[] {
  if (!messages && foreignCode === undefined) return problems
  return problems.map((problem) => {
    const own = messages?.[problem.code]
    const severity = repairs && problem.code === "yaml-repaired" ? "error" : problem.severity
    return {
      ...problem,
      severity,
      ...(own && { message: own(problem.message, file) }),
      ...(foreignCode !== undefined && severity === "error" && !problem.loads && { foreignCode }),
    }
  })
}
