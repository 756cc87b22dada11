import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { material } from "../material.ts"
import { AgreeingWorld } from "./agreement-kit.ts"

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")
let world: AgreeingWorld
beforeEach(() => {
  world = new AgreeingWorld()
})
afterEach(() => world.close())

/** Where each tool would have its files. */
const places: readonly (readonly [string, string, string])[] = [
  ["acai", "travisennis__acai-ts", ".acai/subagents"],
  ["claude", "davila7__claude-code-templates", ".claude/agents"],
  ["claude", "wshobson__agents", ".claude/agents"],
  ["codex-md", "antsh3k__codex-cv", ".codex/agents"],
  ["gobby", "Zeeeepa__gobby", ".gobby/agents"],
  ["gobby-workflows", "agents", ".gobby/agents"],
  ["remora", "ba4205a", "."],
]

describe.skipIf(!existsSync(corpus))(
  "of real files, check has an error where a start is refused, and nowhere else",
  () => {
    test.each(places)("%s: %s", async (top, repository, folder) => {
      for (const [file, text] of filesOf(path.join(corpus, top, repository)))
        world.put(path.join("work", folder, isNested(top) ? file : path.basename(file)), text)
      const starts = await world.starts()
      expect(starts.length).toBeGreaterThan(0)
      for (const { refused, ...start } of starts)
        expect({ ...start, refused }).toEqual({ ...start, refused: start.checked })
    })
  },
)

const isNested = (top: string): boolean => top === "claude" || top === "remora"

/** With the paths that they had in their repository. */
function filesOf(folder: string): readonly (readonly [string, string])[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const full = path.join(entry.parentPath, entry.name)
      const relative = path.relative(folder, full).replaceAll("__", "/")
      return [relative, readFileSync(full, "utf8")] as const
    })
}

/** By format, keys with values that are right and that are wrong, in all ways that keep an agent from starting. */
const shared = {
  tools: [
    "Read, Grep",
    "[]",
    "Read, Gerp",
    "mcp__github__list",
    "Read, mcp__github__*",
    "NotebookEdit",
    "WebSearch",
    "Bash(git:*), Read",
    "Read, Bash(:*)",
    "Read, Bash(a)(b)",
    "Agent(a1, nobody)",
    "Agent",
    "[Read, 5]",
    "submit_result",
  ],
  model: [
    "sonnet",
    "inherit",
    "gpt-5",
    "anthropic:claude-x",
    "the best",
    "sonet",
    "nobody:model",
    "Claude Sonnet 4.5",
    "script:nowhere.json",
    "5",
    "my-model",
    '""',
  ],
}
const keys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  claude: {
    ...shared,
    disallowedTools: ["Bash", "Bsah", "mcp__github__list", "'*'", "Bash(*:)"],
    skills: ["style", "stile", "[style, none]"],
    isolation: ["worktree", "clone"],
    permissionMode: ["plan", "yolo"],
    hooks: [
      "{ PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: 'true' }] }] }",
      "{ Nowhere: [] }",
      "5",
    ],
    maxTurns: ["5", "0", "many"],
    effort: ["high", "none"],
  },
  cadre: {
    ...shared,
    disallowedTools: ["Bash", "Executor", "Bsah"],
    delegates: ["Bash", "mcp__github__list", "Nope"],
    skills: ["style", "stile"],
    context: [
      "fork",
      "{ files: [notes.md] }",
      "{ files: [nowhere.md] }",
      "{ files: [../../etc/passwd] }",
      "{ rules: true }",
      "{ file: x }",
    ],
    isolation: ["worktree", "clone", "none", "moon"],
    mode: ["headless", "terminal", "embedded", "self"],
    executor: ["echo", "nobody", "bad name"],
    workflow: ["development", "developmnt", "{ steps: [{ name: a }] }", "{ steps: [{ nam: a }] }", "null"],
    lifecycle: ["careful", "carefl"],
    hooks: [
      "{ before_tool: { tools: Bash, block: 'no' } }",
      "{ befor_tool: { block: x } }",
      "{ before_tool: { when: 'tool_nam', block: x } }",
    ],
    postconditions: ["[{ file: a.txt }]", "[{ command: npm test }]", "[{ schema: { type: strange } }]"],
    variables: ["{ area: src }", "{ task: x }"],
    output: [
      "{ type: object }",
      "{ type: string }",
      "{ type: object, properties: { a: { type: strange } } }",
    ],
    rules: [
      "[{ tool: Bash, decision: ask }]",
      "[{ tool: Nope, decision: deny }]",
      "[{ tool: 'WebFetch(domain:)', decision: deny }]",
      "[{ tool: mcp__x__y, decision: deny }]",
      "[{ tool: Bash, decision: maybe }]",
    ],
    limits: ["{ maxTurns: 5 }", "{ maxTurn: 5 }", "{ timeout: 0 }"],
    fallback: ["a1", "nobody"],
    pipeline: [
      "[{ id: one, agent: a1, prompt: Go. }]",
      "[{ id: one, agent: nobody, prompt: Go. }]",
      "[{ id: one }]",
    ],
    cache: ["true", "{ inputs: ['*.md'] }", "{ input: x }"],
    template: ["{ context: '{{ task }}' }", "{ context: '{{ task' }"],
    toolDefinitions: ["[{ name: lint, description: d, script: lint.py, parameters: { type: object } }]"],
    allowModelOverride: ["false"],
    nonsense: ["1"],
  },
  gobby: {
    model: shared.model,
    allowed_tools: ["all", "[Read, Grep]", "[Read, Gerp]", "[mcp__github__list]"],
    blocked_tools: ["[Bash]", "[Bsah]"],
    blocked_mcp_tools: ["['github:list', 'x:*']"],
    mode: ["headless", "terminal", "self"],
    isolation: ["worktree", "clone", "current"],
    workflow: ["development", "developmnt", "null"],
    lifecycle: ["careful", "carefl"],
    skills: ["[style]", "[stile]"],
    timeout: ["10", "0", "soon"],
    fallback_agent: ["a1", "nobody"],
  },
  acai: { ...shared, timeout: ["10", "0"] },
  "codex-md": {
    ...shared,
    model_config: [
      "{ provider: openai, model: gpt-5 }",
      "{ provider: nobody, model: x }",
      "{ endpoint: nowhere }",
      "{ model: '' }",
    ],
    keywords: ["[one, two]", "[one, one]"],
  },
}
const folders: Readonly<Record<string, string>> = {
  claude: ".claude/agents",
  cadre: ".cadre/agents",
  gobby: ".gobby/agents",
  acai: ".acai/subagents",
  "codex-md": ".codex/agents",
}

interface Drawn {
  readonly format: string
  readonly lines: readonly string[]
}

const drawn: fc.Arbitrary<Drawn> = fc.constantFrom(...Object.keys(keys)).chain((format) =>
  fc
    .subarray(Object.entries(keys[format]!), { maxLength: Math.min(4, Object.keys(keys[format]!).length) })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(([key, values]) => fc.constantFrom(...values).map((value) => `${key}: ${value}`)),
      ),
    )
    .map((lines) => ({ format, lines })),
)

/** A skill, a workflow, a set of hooks, a file and a program that definitions can name. */
function furnish(): void {
  world.put("work/.claude/skills/style/SKILL.md", "Be brief.\n")
  world.put("work/.cadre/workflows/development.yaml", "steps: [{ name: work }]\n")
  world.put(
    "work/.cadre/lifecycles/careful.yaml",
    "picked_only: true\nbefore_tool: { tools: Bash, block: 'no' }\n",
  )
  world.put("work/notes.md", "Notes.\n")
  world.configure("presets: { my-model: gpt-5 }\nexecutors: { echo: { command: echo } }\n")
}

function write(name: string, { format, lines }: Drawn): void {
  const head = `name: ${name}\ndescription: Does ${name}.\n${lines.map((line) => `${line}\n`).join("")}`
  const isYaml = format === "gobby"
  world.put(
    path.join("work", folders[format]!, `${name}.${isYaml ? "yaml" : "md"}`),
    isYaml ? `${head}instructions: Do it.\n` : `---\n${head}---\n\nDo it.\n`,
  )
}

test("of any definition, check has an error where a start is refused, with the same code, place and words, and nowhere else", async () => {
  furnish()
  const seen = { sound: 0, refused: 0, codes: new Set<string>() }
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 20, maxLength: 20 }), async (all) => {
      for (const folder of Object.values(folders)) world.clear(path.join("work", folder))
      for (const [index, one] of all.entries()) write(`bot-${index}`, one)
      write("a1", { format: "claude", lines: [] })
      for (const { refused, ...start } of await world.starts()) {
        expect({ ...start, refused }).toEqual({ ...start, refused: start.checked })
        if (refused.length === 0) seen.sound++
        else seen.refused++
        for (const line of refused) seen.codes.add(/ ([a-z-]+): /.exec(line)?.[1] ?? line)
      }
    }),
    { numRuns: 15 },
  )
  expect([seen.sound > 30, seen.refused > 100, seen.codes.size > 15]).toEqual([true, true, true])
})
