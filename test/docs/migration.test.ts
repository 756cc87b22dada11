/** The pages about migration name only what exists, and map every function of the APIs that people come from. */
import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { commands } from "../../src/faces/cli/commands.ts"

const root = path.resolve(import.meta.dirname, "../..")
const page = ["docs/guides/migrate.md", "docs/reference/migration.md"]
  .map((file) => fs.readFileSync(path.join(root, file), "utf8"))
  .join("\n")
const { there, here } = spansOf(page)

test("the page begins with the default model and with trust, before the first table", () => {
  const [before] = page.split("\n| ")
  const heading = before!.indexOf("## First: a model and trust")
  expect([
    heading > 0,
    ["CADRE_MODEL", "cadre models", "cadre doctor", "cadre trust", "--trust"].filter(
      (word) => before!.indexOf(word) < heading,
    ),
  ]).toEqual([true, []])
})

describe("what the page calls things here", () => {
  test("has commands, calls and names", () => {
    expect([here.commands.length > 10, here.calls.length > 20, here.names.length > 30]).toEqual([
      true,
      true,
      true,
    ])
  })

  test.each(here.commands)("%s is a command with these options", async (line) => {
    const [, name = "", rest = ""] = /^cadre (\S+)(.*)$/s.exec(line) ?? []
    const command = await commands.find((listed) => listed.name === name)?.load()
    expect(command, `There is no command ${name}.`).toBeDefined()
    const flags = [...rest.matchAll(/(?<=\s)--([a-z-]+)/g)].map(([, flag]) => flag!)
    expect(flags.filter((flag) => !Object.hasOwn(command!.options, flag))).toEqual([])
  })

  test("calls are of what the package exports, with options that it takes; any other would be noticed", () => {
    const wrong = [
      "spawnSubagentTool(registry)",
      "standaloneAgentTool({ subagentRegistry: registry })",
      "registry.registerMultiple(agents)",
      "codingAgent({ workDir, maxSubagentDepth: maxDepth })",
    ]
    expect(typeProblems([...here.calls, ...wrong]).map(([call]) => call)).toEqual(wrong)
  })

  const words = new Set(
    fs
      .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .flatMap((file) => fs.readFileSync(path.join(root, "src", file), "utf8").match(/[\w$]+/g) ?? []),
  )

  test.each(here.names)("%s stands in the sources", (name) => {
    // Words in capitals that a reader puts something in place of.
    const placeholders = new Set(["NAME", "TASK", "TEXT", "FILE", "ID"])
    const unknown = (name.match(/[\w$]+/g) ?? []).filter(
      (word) => !words.has(word) && !placeholders.has(word),
    )
    expect(unknown).toEqual([])
  })
})

describe("every function of the old APIs is mapped", () => {
  test.each([
    ["Codex", ["codex subagents list", "codex subagents run", "/use", "reload", "snapshot", "parse_errors"]],
    [
      "acai",
      [
        "loadSubagents",
        "getSubagent",
        "formatSubagentsForDescription",
        "loadSubAgentDefinition",
        "getToolDescription",
        "Subagent",
        "SubagentFrontmatter",
        "SubAgentExecuteOptions",
        "SubAgent",
        "allowedTools",
        "abortSignal",
        "Agent(",
      ],
    ],
    [
      "instructor-php",
      [
        "SubagentSpec(",
        "SubagentRegistry",
        "register(",
        "registerMultiple",
        "get",
        "has",
        "all",
        "names",
        "descriptions",
        "count",
        "remove",
        "clear",
        "validate",
        "loadFromFile",
        "loadFromDirectory",
        "loadFromJson",
        "autoDiscover",
        "parseMarkdownFile",
        "parseMarkdown",
        "parseJson",
        "SpawnSubagentTool",
        "spawn_subagent",
        "ResearchSubagentTool",
        "SelfCriticSubagentTool",
        "codingAgent",
        "LLMConfig",
        "LLMConfig::fromArray",
        "createSubagent",
        "resolveLlmProvider",
        "LLMProvider::fromConfig",
        "LLMProvider::using",
        "LLMProvider::new",
        "AgentFactory::codingAgent",
        "AgentType",
        "AgentCapability",
        "DefaultAgentCapability",
        "agent_type",
      ],
    ],
    [
      "Gobby",
      ["start_agent", "spawn_agent", "lifecycle_variables", "AgentDefinitionLoader.load", "gobby agents"],
    ],
    [
      "Remora",
      [
        "load_subagent_definition",
        "tool_schemas",
        "tools_by_name",
        "render(",
        "FunctionGemmaRunner",
        "context_providers",
        "submit_result",
        "AGENT_001",
        "AGENT_002",
        "AGENT_003",
        "AGENT_004",
      ],
    ],
  ])("%s", (_, names) => {
    expect(names.filter((name) => !there.some((span) => isNamed(span, name)))).toEqual([])
  })

  const isNamed = (span: string, name: string) =>
    new RegExp(
      `(?<![\\w])${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")}${/\w$/.test(name) ? "(?!\\w)" : ""}`,
    ).test(span)
})

interface Spans {
  /** In the first column of tables: what others call it. */
  readonly there: readonly string[]
  readonly here: {
    readonly commands: readonly string[]
    readonly calls: readonly string[]
    /** Everything else but files and links. */
    readonly names: readonly string[]
  }
}

function spansOf(text: string): Spans {
  const there: string[] = []
  const here: string[] = []
  const spansIn = (part: string) => [...part.matchAll(/`([^`]+)`/g)].map(([, span]) => span!)
  for (const line of text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "").split("\n")) {
    const [, first = "", rest = ""] = /^\| (.*?) \| (.*) \|$/.exec(line) ?? []
    there.push(...spansIn(first))
    here.push(...spansIn(first === "" ? line : rest))
  }
  const unique = [...new Set(here)]
  const commandLines = unique.filter((span) => span.startsWith("cadre "))
  const calls = unique.filter((span) => /^(?:new )?[A-Za-z]\w*(?:\.\w+)*\(/.test(span) || isProperty(span))
  const isFile = (span: string) => /^[~.]|[/*]|\.(?:ya?ml|md|toml|json|gguf|pym)$/.test(span)
  const names = unique.filter(
    (span) => !commandLines.includes(span) && !calls.includes(span) && !isFile(span),
  )
  return { there, here: { commands: commandLines, calls, names } }
}

/** Of what the calls are made on; other words with a dot are keys of the configuration. */
function isProperty(span: string): boolean {
  return /^(?:registry|runtime|definition)\.\w+/.test(span)
}

/** Type-checks each call on its own line. */
function typeProblems(calls: readonly string[]): readonly (readonly [call: string, problem: string])[] {
  const file = path.join(root, "test/docs/migration-calls.ts")
  const prelude = [
    'import type { Agent, Runtime } from "../../src/index.ts"',
    'import type { SubagentDefinition, SubagentRegistry } from "../../src/files.ts"',
    'import * as main from "../../src/index.ts"',
    'import * as files from "../../src/files.ts"',
    "const cadre = { ...main, ...files }",
    "declare const runtime: Runtime, definition: SubagentDefinition, agent: Agent, agents: Agent[]",
    "declare const registry: SubagentRegistry, signal: AbortSignal, knownTools: string[]",
    "declare const name: string, description: string, instructions: string, prompt: string, text: string",
    "declare const file: string, folder: string, agentsDir: string, workDir: string, node_text: string",
    "declare const nodeType: string, filePath: string, timeout: number, currentDepth: number, maxDepth: number",
    "declare const tools: any, model: any, skills: any, settings: any",
  ]
  const exported = (call: string) =>
    /^(?:new )?(?:registry|runtime|definition)\b/.test(call)
      ? call.replaceAll(/(?<=\()(parse\w+)(?=\()/g, "cadre.$1")
      : call.replace(/^(new )?/, "$1cadre.")
  const source = [...prelude, ...calls.map((call) => `void (${exported(call)})`)].join("\n")
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { readFile, getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2023) : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], { ...options, noEmit: true, noUnusedLocals: false }, host)
  const checked = program.getSourceFile(file)!
  return program.getSemanticDiagnostics(checked).map(({ start = 0, messageText }) => {
    const { line } = checked.getLineAndCharacterOfPosition(start)
    return [calls[line - prelude.length] ?? "prelude", ts.flattenDiagnosticMessageText(messageText, " ")]
  })
}
