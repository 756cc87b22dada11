import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { CadreError } from "../../ground/errors.ts"
import type { AgentFileError } from "./agent-file-error.ts"
import { loadSubagentDefinition } from "./subagent-definition.ts"

const agentsDir = path.join(import.meta.dirname, "fixtures/remora/agents")
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-subagent-")))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const load = () => loadSubagentDefinition("lint/lint_subagent.yaml", { agentsDir })

/** Loads a text as the file of an otherwise empty folder. */
function loadText(text: string | Uint8Array) {
  fs.writeFileSync(path.join(folder, "x_subagent.yaml"), text)
  return loadSubagentDefinition("x_subagent.yaml", { agentsDir: folder })
}

function refusal(load: () => unknown): AgentFileError {
  try {
    load()
  } catch (error) {
    return error as AgentFileError
  }
  throw new Error("It was loaded.")
}

const node = { text: "def f(): pass", name: "f", nodeType: "function", filePath: "src/f.py" }

describe("the five tests of the design", () => {
  test("a valid file gives a definition with the right number of tools", () => {
    const definition = load()
    expect(definition.name).toBe("lint_agent")
    expect(definition.tools).toHaveLength(3)
    expect(definition.maxTurns).toBe(15)
    expect(definition.model).toBe(path.join(agentsDir, "lint/models/lint.gguf"))
    expect(definition.tools[0]?.script).toBe(path.join(agentsDir, "lint/tools/run_linter.pym"))
    expect(definition.tools[0]?.contextProviders).toEqual([
      path.join(agentsDir, "lint/context/ruff_config.pym"),
    ])
  })

  test("tool schemas have the type, strictness and parameters that models are told", () => {
    expect(load().toolSchemas[0]).toEqual({
      type: "function",
      function: {
        name: "run_linter",
        description: "Run the linter on the code.",
        parameters: {
          type: "object",
          additionalProperties: false,
          properties: { check_only: { type: "boolean" } },
        },
        strict: true,
      },
    })
    expect(load().toolSchemas.map((schema) => [schema.type, schema.function.strict])).toEqual([
      ["function", true],
      ["function", true],
      ["function", true],
    ])
  })

  test("without submit_result it is refused with AGENT_001", () => {
    const text = fs
      .readFileSync(path.join(agentsDir, "lint/lint_subagent.yaml"), "utf8")
      .replace("submit_result", "finish")
    const error = refusal(() => loadText(text))
    expect(error).toBeInstanceOf(CadreError)
    expect(error.code).toBe("AGENT_001")
    expect(error.message).toContain(
      `Subagent definition must include exactly one submit_result tool: ${path.join(folder, "x_subagent.yaml")}`,
    )
  })

  test("render fills in every field of a node", () => {
    expect(load().initialContext.render(node)).toBe("Code of the function `f` in src/f.py:\n\ndef f(): pass")
  })

  test("tools are found by name", () => {
    expect(load().toolsByName.get("apply_fix")?.description).toBe("Apply one fix.")
    expect(load().toolsByName.get("nothing")).toBeUndefined()
  })
})

test("what is filled in is not rendered again", () => {
  const text = "{{ file_path }} {% for x in y %} {# no #}"
  expect(load().initialContext.render({ ...node, text })).toBe(
    `Code of the function \`f\` in src/f.py:\n\n${text}`,
  )
})

test("the system prompt is the text of the file, and the agent's has no white space around it", () => {
  const { initialContext, agent } = load()
  expect(initialContext.systemPrompt).toBe("You are a linter. Fix one thing at a time.\n")
  expect(agent.instructions).toBe("You are a linter. Fix one thing at a time.")
})

test("nothing is rendered when a definition is loaded, so what fails then fails later", () => {
  const text = fs
    .readFileSync(path.join(agentsDir, "lint/lint_subagent.yaml"), "utf8")
    .replace("{{ node_text }}", "{{ 1 // 0 }}")
  const error = refusal(() => loadText(text).initialContext.render(node))
  expect(error.code).toBe("AGENT_001")
  expect(error.message).toMatch(/^node_context cannot be rendered: /)
})

test("a definition of the later shape has tools without parameters", () => {
  const { model, toolSchemas, warnings } = loadSubagentDefinition(
    path.join(agentsDir, "docstring/docstring_subagent.yaml"),
    { agentsDir },
  )
  expect(model).toBeNull()
  expect(toolSchemas[0]).toEqual({
    type: "function",
    function: { name: "read_docstring", description: "Read what is there.", strict: true },
  })
  expect(warnings).toEqual([])
})

test("what is missing is a warning", () => {
  expect(load().warnings.map(({ code, message }) => [code, message])).toEqual([
    [
      "path-missing",
      naming(
        `Model file not found: ${path.join(agentsDir, "lint/models/lint.gguf")}`,
        "llama-server",
        '"lint"',
      ),
    ],
  ])
})

describe("every way to be refused is AGENT_001", () => {
  const file = path.join(folder, "x_subagent.yaml")
  test.each<[string, () => unknown, string]>([
    [
      "no file",
      () => loadSubagentDefinition("gone_subagent.yaml", { agentsDir }),
      `Failed to read subagent definition: ${path.join(agentsDir, "gone_subagent.yaml")}`,
    ],
    [
      "a folder",
      () => loadSubagentDefinition("lint", { agentsDir }),
      `Failed to read subagent definition: ${path.join(agentsDir, "lint")}`,
    ],
    ["no UTF-8", () => loadText(Uint8Array.of(0xff, 0xfe, 0)), `Failed to read subagent definition: ${file}`],
    ["an empty file", () => loadText(""), `Subagent definition must be a mapping: ${file}`],
    ["bad YAML", () => loadText("name: x: y"), `Invalid YAML in subagent definition: ${file}`],
    ["a list", () => loadText("[1]"), `Subagent definition must be a mapping: ${file}`],
    ["nothing in it", () => loadText("{}"), "missing required field: model"],
  ])("%s", (_, load, beginning) => {
    const error = refusal(load)
    expect(error.code).toBe("AGENT_001")
    expect(error.message.slice(0, beginning.length)).toBe(beginning)
    const errors = error.diagnostics.filter(({ severity }) => severity === "error")
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.map(({ foreignCode }) => foreignCode)).toEqual(errors.map(() => "AGENT_001"))
  })

  test("one error tells everything that is wrong, with warnings beside it", () => {
    const error = refusal(() =>
      loadText(
        "name: x\nmodel: m.gguf\ninitial_context: {system_prompt: s, node_context: '{{ a }}'}\ntools:\n  - {name: t, pym: ../t.pym, description: d, parameters: {type: list}}",
      ),
    )
    expect(
      error.diagnostics.map(({ code, range: { start } }) => `${start.line}:${start.column} ${code}`),
    ).toEqual([
      "2:8 path-missing",
      "3:55 template-variable",
      "5:20 path-outside",
      "5:65 tool-parameters-type",
      "5:58 tool-parameters-open",
      "4:1 submit-result",
    ])
    expect(error.message.split("\n")).toHaveLength(3)
  })
})
