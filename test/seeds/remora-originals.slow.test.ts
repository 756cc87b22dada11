/** The four definitions of the original project, with their own scripts, run on a code node without any change. */
import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { loadSubagentDefinition } from "../../src/files.ts"
import type { ScriptedTurn } from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { material } from "../material.ts"
import { endsOf, runAgent } from "./remora-kit.ts"

const agentsDir = material("corpus", "remora", "ba4205a", "agents")
const isThere = fs.existsSync(agentsDir)
const load = (name: string) => loadSubagentDefinition(`${name}/${name}_subagent.yaml`, { agentsDir })

const source = `import os


def add(left: int, right: int = 2) -> int:
    return left + right
`
const node = "def add(left: int, right: int = 2) -> int:\n    return left + right"
const project = () => temporaryFolder({ "src/sums.py": source })

/** Runs one of the definitions on `add`, one call a turn; returns what each call gave, as the lines of its result. */
async function run(name: string, folder: string, ...calls: readonly { tool: string; input?: object }[]) {
  const turns: readonly ScriptedTurn[] = calls.map((call) => ({ calls: [call] }))
  const { agent } = load(name)
  const ran = await runAgent(agent, turns, { cwd: folder, node: "src/sums.py::add" })
  const results = endsOf(ran.events).map(({ status, text }) => ({
    status,
    lines: status === "ok" ? text.split("\n").map(parsed) : text,
  }))
  return { ...ran, results }
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

const said = (summary: string, outcome = "success") => expect.objectContaining({ summary, outcome })

describe.skipIf(!isThere)("000: the original definitions", () => {
  test.each<[string, readonly string[]]>([
    ["docstring", ["read_current_docstring", "read_type_hints", "write_docstring", "submit_result"]],
    ["lint", ["run_linter", "apply_fix", "read_current_file", "submit_result"]],
    ["sample_data", ["analyze_signature", "write_fixture_file", "submit_result"]],
    ["test", ["analyze_signature", "read_existing_tests", "write_test_file", "run_tests", "submit_result"]],
  ])("%s loads without findings, and its schemas name no input of the host", (name, tools) => {
    const { toolSchemas, warnings, model } = load(name)
    const properties = toolSchemas.flatMap(({ function: { parameters } }) =>
      Object.keys((parameters as { properties: object }).properties),
    )
    const ofHost = /node_text|target_file|workspace_id/
    expect({
      tools: toolSchemas.map((schema) => schema.function.name),
      warnings,
      model,
      ofHost: properties.filter((property) => ofHost.test(property)),
    }).toEqual({ tools, warnings: [], model: null, ofHost: [] })
  })

  test("docstring writes a docstring into the file of the node", async () => {
    const folder = project()
    const submitted = { summary: "Documented.", action: "added", changed_files: ["src/sums.py"] }
    const { result, requests, results } = await run(
      "docstring",
      folder,
      { tool: "read_current_docstring" },
      { tool: "read_type_hints" },
      { tool: "write_docstring", input: { docstring: "Adds two numbers.", style: "google" } },
      { tool: "submit_result", input: submitted },
    )
    expect([...requests[0]!.messages]).toEqual([
      {
        role: "user",
        text: `Code to document:\n${node}\n\nInstructions: Check the docstrings and call functions to update them if necessary.`,
      },
    ])
    expect(requests[0]!.tools.find(({ name }) => name === "write_docstring")).toEqual({
      name: "write_docstring",
      description: "Write or replace a docstring on the current Python function or class.",
      input: {
        type: "object",
        properties: {
          docstring: { type: "string", description: "The docstring text to write." },
          style: { type: "string", description: "The docstring style format to use, e.g. google or numpy." },
        },
        required: ["docstring", "style"],
        additionalProperties: false,
      },
      strict: true,
    })
    expect(results).toEqual([
      { status: "ok", lines: [said("No docstring found", "partial")] },
      { status: "ok", lines: [said("Found type hints for 2 parameter(s)")] },
      // The context provider gives the style first.
      { status: "ok", lines: ["google", said("Inserted new docstring")] },
    ])
    expect([result.outcome, result.value]).toEqual([{ type: "completed" }, submitted])
    expect(fs.readFileSync(path.join(folder, "src/sums.py"), "utf8")).toBe(
      source.replace("-> int:\n", '-> int:\n    """Adds two numbers."""\n'),
    )
  })

  test("a model cannot choose another file, neither by the name of the input nor by its other name", async () => {
    const folder = project()
    const { results } = await run(
      "docstring",
      folder,
      { tool: "write_docstring", input: { docstring: "D", style: "google", target_file: "other.py" } },
      { tool: "write_docstring", input: { docstring: "D", style: "google", target_file_input: "other.py" } },
      { tool: "submit_result", input: { summary: "S", action: "skipped", changed_files: [] } },
    )
    expect(results.map(({ status }) => status)).toEqual(["error", "error"])
    expect(fs.readFileSync(path.join(folder, "src/sums.py"), "utf8")).toBe(source)
    expect(fs.existsSync(path.join(folder, "other.py"))).toBe(false)
  })

  test("lint reads the file, and goes on where its linter is missing", async () => {
    const folder = project()
    fs.writeFileSync(path.join(folder, "ruff.toml"), "line-length = 88\n")
    const { result, results } = await run(
      "lint",
      folder,
      { tool: "read_current_file" },
      { tool: "run_linter", input: {} },
      {
        tool: "submit_result",
        input: { summary: "Linted.", issues_fixed: 0, issues_remaining: 0, changed_files: [] },
      },
    )
    expect(results).toEqual([
      { status: "ok", lines: [said("Read 5 lines from src/sums.py")] },
      {
        status: "ok",
        lines: ["line-length = 88\n", expect.objectContaining({ summary: expect.any(String) })],
      },
    ])
    expect(result.outcome).toEqual({ type: "completed" })
  })

  test("sample_data writes fixtures, and is told of those that there are", async () => {
    const folder = project()
    fs.mkdirSync(path.join(folder, "fixtures"))
    fs.writeFileSync(path.join(folder, "fixtures/old.json"), "[]")
    const { result, results } = await run(
      "sample_data",
      folder,
      { tool: "analyze_signature" },
      { tool: "write_fixture_file", input: { fixtures: [{ left: 1, right: 2 }] } },
      {
        tool: "submit_result",
        input: { summary: "Made.", fixtures_generated: 1, changed_files: ["fixtures/add_fixtures.json"] },
      },
    )
    expect(results).toEqual([
      {
        status: "ok",
        lines: [[{ name: "old.json", path: "fixtures/old.json" }], said("Parsed signature for add")],
      },
      { status: "ok", lines: [said("Wrote fixture file fixtures/add_fixtures.json")] },
    ])
    expect(result.outcome).toEqual({ type: "completed" })
    expect(JSON.parse(fs.readFileSync(path.join(folder, "fixtures/add_fixtures.json"), "utf8"))).toEqual([
      { left: 1, right: 2 },
    ])
  })

  test("test analyses, writes and runs tests, and goes on where pytest is missing", async () => {
    const folder = project()
    const content = "def test_add():\n    assert True\n"
    const { result, results, requests } = await run(
      "test",
      folder,
      { tool: "analyze_signature" },
      { tool: "read_existing_tests" },
      { tool: "write_test_file", input: { content, path_value: "tests/test_sums.py" } },
      { tool: "run_tests", input: { path_input: "tests/test_sums.py" } },
      {
        tool: "submit_result",
        input: {
          summary: "Tested.",
          tests_generated: 1,
          tests_passing: 0,
          changed_files: ["tests/test_sums.py"],
        },
      },
    )
    expect([...requests[0]!.messages][0]!.text).toBe(
      `Target file: src/sums.py\nNode: add (function)\n${node}`,
    )
    expect(results).toEqual([
      { status: "ok", lines: [said("Parsed signature for add")] },
      { status: "ok", lines: [said("No existing tests found", "partial")] },
      { status: "ok", lines: [expect.anything(), said("Wrote test file tests/test_sums.py")] },
      { status: "ok", lines: [expect.anything(), expect.objectContaining({ summary: expect.any(String) })] },
    ])
    expect(result.outcome).toEqual({ type: "completed" })
    expect(fs.readFileSync(path.join(folder, "tests/test_sums.py"), "utf8")).toBe(content)
  })
})
