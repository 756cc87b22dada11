import fs from "node:fs"
import path from "node:path"
import { parse } from "yaml"

const page = path.resolve(import.meta.dirname, "../../docs/guides/run-with-another-program.md")

/** The executor that the page has people write down. */
export function documentedExecutor(): {
  readonly command: readonly string[]
  readonly options: { readonly [name: string]: readonly string[] }
} {
  const [, example] = /```yaml\n(executors:[\s\S]*?)```/.exec(fs.readFileSync(page, "utf8")) ?? []
  return parse(example ?? "").executors.claude
}
