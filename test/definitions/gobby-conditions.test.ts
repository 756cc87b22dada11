import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { readWhen } from "../../src/definitions/lifecycle/when.ts"
import { parseCondition } from "../../src/language/expression/condition.ts"
import { material } from "../material.ts"

/** What Gobby installs, beside the checkout; it is not part of the project. */
const folders = ["gobby", "gobby-workflows"]
  .map((name) => material("corpus", name))
  .filter((folder) => existsSync(folder))

const keys = ["when", "exit_when", "exit_condition", "condition"]

/** `${{ … }}` is a template of Gobby's pipelines. */
const conditions: readonly string[] = [...new Set(folders.flatMap(filesIn).flatMap(conditionsIn))].filter(
  (text) => !text.includes("${{"),
)

function filesIn(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(path.join(folder, file), "utf8")).map((one) => one.toJS() as unknown),
    )
}

function conditionsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" && keys.includes(key) ? [inner] : conditionsIn(inner),
  )
}

describe.skipIf(folders.length === 0)("the conditions of Gobby's own files", () => {
  test("every one can be read", () => {
    expect(conditions.length).toBeGreaterThan(60)
    expect(
      conditions.flatMap((text) => {
        const parsed = parseCondition(text)
        return parsed.type === "invalid" ? [[text, parsed.problem]] : []
      }),
    ).toEqual([])
  })

  test("functions that only Gobby has are named as such", () => {
    const told = conditions.flatMap((text) => {
      const read = readWhen(text)
      return "problems" in read ? read.problems.map(({ message }) => message) : []
    })
    const functions = told.flatMap((message) => /^Unknown function "(\w+)"(.)/.exec(message)?.slice(1) ?? [])
    expect([...new Set(functions)].sort()).toEqual([
      ":",
      "edit_count_since_test_run",
      "editing_non_test_file",
      "is_discovery_tool",
      "is_plan_file",
      "is_server_listed",
      "is_tool_unlocked",
      "mcp_called",
      "mcp_failed",
      "mcp_result_has",
      "mcp_result_is_null",
      "task_tree_complete",
      "tests_exist",
    ])
  })
})
