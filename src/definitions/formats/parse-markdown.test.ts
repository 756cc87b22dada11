import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Agent, defineAgent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import { AgentFileError } from "./agent-file-error.ts"
import { parseJson, parseMarkdown, parseMarkdownFile } from "./parse-markdown.ts"

const folder = path.join(import.meta.dirname, "fixtures/subagent-spec")

function refusal(parse: () => unknown): AgentFileError {
  try {
    parse()
  } catch (error) {
    if (error instanceof AgentFileError) return error
    throw error
  }
  throw new Error("nothing was thrown")
}

function withoutOrigin({ origin: _, ...agent }: Agent) {
  return agent
}

const reviewer = defineAgent({
  name: "code-reviewer",
  label: "Code reviewer",
  description: "Expert code reviewer",
  instructions: "You are a senior code reviewer.",
  tools: ["read_file", "search_files"],
  disallowedTools: ["write_file"],
  model: "anthropic",
  skills: ["php-standards", "security"],
  limits: { maxTurns: 20, timeout: 90_000 },
  metadata: { team: "platform" },
})

describe("a spec in a file is the one written in code", () => {
  test("from a markdown file, which it names with its hash", () => {
    const file = path.join(folder, "code-reviewer.md")
    const agent = parseMarkdownFile(file)
    expect(withoutOrigin(agent)).toEqual(withoutOrigin(reviewer))
    expect(agent.origin).toEqual({
      format: "subagent-spec",
      file,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      margins: { before: "\n", after: "\n" },
    })
    expect(Object.isFrozen(agent) && Object.isFrozen(agent.origin)).toBe(true)
  })

  test("from markdown text, with Windows line ends and a byte order mark too", () => {
    const text = fs.readFileSync(path.join(folder, "code-reviewer.md"), "utf8")
    for (const given of [text, text.replaceAll("\n", "\r\n"), `\ufeff${text}`])
      expect(withoutOrigin(parseMarkdown(given))).toEqual(withoutOrigin(reviewer))
    expect(parseMarkdown(text).origin.file).toBeUndefined()
    expect(parseMarkdown(text, "any.name").origin.file).toBe("any.name")
  })

  test("from JSON text", () => {
    const text = fs.readFileSync(path.join(folder, "code-reviewer.json"), "utf8")
    expect(withoutOrigin(parseJson(text, "any.name"))).toEqual(withoutOrigin(reviewer))
  })

  test.each(["systemPrompt", "prompt", "system"])("JSON may say %s", (key) => {
    const agent = parseJson(JSON.stringify({ name: "a", description: "b", [key]: "\nDo it.\n" }))
    expect(agent.instructions).toBe("Do it.")
  })
})

describe("one error says all that is wrong, in the words of instructor-php", () => {
  const whole = "name: a\ndescription: b"

  test.each([
    [
      "---\nname: Reviewer\ndescription: b\n---\nBody.",
      "Invalid subagent name 'Reviewer': must start with lowercase letter and contain only lowercase letters, numbers, and hyphens (2:7)",
    ],
    [
      "---\nname: a\ndescription: ''\n---\nBody.",
      expect.stringMatching(
        /^Subagent description cannot be empty\. `description`.*text.*empty.*""\. \(3:14\).?$/,
      ),
    ],
    [
      "Just text.",
      expect.stringMatching(
        /^Invalid markdown format: missing YAML frontmatter.*expected.*`---`\. \(1:1\).?$/,
      ),
    ],
    [
      `---\n${whole}\n`,
      expect.stringMatching(/^Invalid markdown format: missing YAML frontmatter.*expected.*\(2:1\).?$/),
    ],
    [
      `---\n${whole}\n---\n  \n`,
      "Invalid markdown format: system prompt (content after frontmatter) cannot be empty (5:1)",
    ],
    ["---\ndescription: b\n---\nBody.", "Missing 'name' field. The name of the agent. (2:1)"],
    ["---\nname: a\n---\nBody.", expect.stringMatching(/^Missing 'description' field.*hand.*\(2:1\).?$/)],
    [
      "---\n- a\n---\nBody.",
      expect.stringMatching(/^YAML frontmatter must be a dictionary\/object.*Expected.*a list\. \(2:1\).?$/),
    ],
    [
      "---\n{name: a\n---\nBody.",
      expect.stringMatching(
        /frontmatter.*unexpected end of the stream within a flow collection.*contains.*quotes.*"\|"\. \(3:1\).?$/,
      ),
    ],
    [
      `---\n${whole}\ntools: 5\n---\nBody.`,
      expect.stringMatching(
        /^Invalid 'tools' field: must be comma-separated string or array\. `tools`.*commas.*5\. \(4:8\).?$/,
      ),
    ],
    [
      `---\n${whole}\nskills: {a: b}\n---\nBody.`,
      expect.stringMatching(
        /^Invalid 'skills' field: must be comma-separated string or array.*commas.*\{"a":"b"\}\. \(4:9\).?$/,
      ),
    ],
    [
      `---\n${whole}\nmodel: 5\n---\nBody.`,
      "Invalid 'model' field: must be string (preset name) or object (LLMConfig). `model` must be text; put 5 in quotes, or keys and values, or null, but it is 5. (4:8)",
    ],
  ])("%j", (text, message) => {
    expect(refusal(() => parseMarkdown(text)).message).toEqual(message)
  })

  test.each([
    ["", expect.stringMatching(/^Invalid JSON data.*empty.*defines.*\(1:1\).?$/)],
    ["[]", expect.stringMatching(/^JSON data must be a dictionary\/object.*Expected.*a list\. \(1:1\).?$/)],
    ["null", expect.stringMatching(/^JSON data must be a dictionary\/object.*Expected.*null\. \(1:1\).?$/)],
    ['{"name": "a", "description": "b"}', "Missing 'systemPrompt' field in JSON data (1:1)"],
    ['{"name": "a", "description": "b", "system": " "}', "Missing 'systemPrompt' field in JSON data (1:1)"],
    [
      '{"name": "a", "description": "b", "prompt": "c", "model": [1]}',
      "Invalid 'model' field: must be string (preset name) or object (LLMConfig). `model` must be text, or keys and values, or null, but it is [1]. (1:59)",
    ],
  ])("%j", (text, message) => {
    expect(refusal(() => parseJson(text)).message).toEqual(message)
  })

  test("everything at once, with places and with warnings", () => {
    const text = "---\nname: A\ndescription:\ntools: 5\nmodel: {apiKey: secret}\n---\n"
    const error = refusal(() => parseMarkdown(text, "reviewer.md"))
    expect(error).toBeInstanceOf(CadreError)
    expect(error.code).toBe("AGENT_INVALID")
    expect(error.message.split("\n").map((line) => line.replace(/[.:].* \(/, " ("))).toEqual([
      "Missing 'description' field (reviewer.md:3:1)",
      "Invalid 'tools' field (reviewer.md:4:8)",
      "Invalid subagent name 'A' (reviewer.md:2:7)",
      "Invalid markdown format (reviewer.md:7:1)",
    ])
    expect(error.diagnostics.map(({ code, severity, file }) => `${file} ${severity} ${code}`)).toEqual([
      "reviewer.md error field-missing",
      "reviewer.md error field-type",
      "reviewer.md warning secret-in-file",
      "reviewer.md error name-invalid",
      "reviewer.md error instructions-missing",
    ])
  })

  test("a file that is not there, and one that is not text", () => {
    const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-spec-"))
    onTestFinished(() => fs.rmSync(temporary, { recursive: true, force: true }))
    const missing = path.join(temporary, "missing.md")
    expect(refusal(() => parseMarkdownFile(missing)).message).toMatch(
      `Failed to read agent definition file: ${missing}. The file cannot be read: ENOENT`,
    )
    const binary = path.join(temporary, "binary.md")
    fs.writeFileSync(binary, Buffer.from([0xff, 0xfe, 0x41]))
    expect(refusal(() => parseMarkdownFile(binary)).diagnostics).toMatchObject([
      { code: "text-not-utf8", severity: "error", file: binary },
    ])
  })
})
