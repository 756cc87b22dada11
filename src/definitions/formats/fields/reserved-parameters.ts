import type { JsonMap } from "../../../ground/message.ts"
import type { Path } from "../document/yaml.ts"
import type { Report } from "../problem.ts"

/** What a request consists of: no parameter of a file may replace it. */
const reserved: ReadonlySet<string> = new Set(["model", "messages", "tools", "stream"])

/** Says which of the parameters that stand at `path` the run sets itself. */
export function reportReserved(parameters: JsonMap, path: Path, report: Report): void {
  for (const key of Object.keys(parameters))
    if (reserved.has(key.trim()))
      report({
        code: "parameter-reserved",
        severity: "warning",
        message: `\`${path.join(".")}.${key.trim()}\` may not be set: the runtime itself says which model, messages, tools and stream a request has.`,
        at: { type: "key", path: [...path, key] },
      })
}
