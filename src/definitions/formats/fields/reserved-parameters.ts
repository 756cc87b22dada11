import type { JsonMap } from "../../../ground/message.ts"
import type { KeyPath } from "../document/yaml.ts"
import type { ReportProblem } from "../problem.ts"

/** The parts of a request that no parameter of a file may replace. */
const reserved: ReadonlySet<string> = new Set(["model", "messages", "tools", "stream"])

/** Reports the parameters at `path` that only the run itself may set. */
export function reportReserved(parameters: JsonMap, path: KeyPath, report: ReportProblem): void {
  for (const key of Object.keys(parameters))
    if (reserved.has(key.trim()))
      report({
        code: "parameter-reserved",
        severity: "warning",
        message: `\`${path.join(".")}.${key.trim()}\` cannot be set here: the runtime sets the model, messages, tools and stream of a request itself.`,
        at: { type: "key", path: [...path, key] },
      })
}
