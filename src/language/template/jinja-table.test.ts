import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { parseTemplate, renderTemplate } from "./index.ts"

/** Made by scripts/jinja-table.py with Python's own Jinja2. */
interface Row {
  readonly group: string
  readonly template: string
  readonly variables: Readonly<Record<string, Json>>
  readonly output?: string
  /** The name of Python's exception. Our messages are tested elsewhere. */
  readonly raises?: string
}
const rows = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "jinja-table.json"), "utf8"),
) as readonly Row[]

test("the table covers what it should", () => {
  expect(rows.length).toBeGreaterThan(60)
})

test.each(rows)("$group: $template", ({ template, variables, output }) => {
  expect(rendered(template, variables)).toEqual(
    output === undefined ? { type: "problem" } : { type: "text", text: output },
  )
})

function rendered(template: string, variables: Readonly<Record<string, Json>>): object {
  const parsed = parseTemplate(template)
  if (parsed.type === "invalid") return { type: "problem" }
  const result = renderTemplate(parsed, variables)
  return result.type === "failed" ? { type: "problem" } : result
}
