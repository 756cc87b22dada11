import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import { builtInAgents } from "../../src/agent/built-in-agents.ts"
import { canonicalTools } from "../../src/agent/catalogue/tools.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { openWorkspace } from "../../src/definitions/registry/workspace.ts"
import { defaultLimits } from "../../src/ground/limits.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"
import { webSearchTool } from "../../src/world/tools/web-search.ts"
import { dispatched } from "../dispatch-kit.ts"
import { results } from "../kit.ts"
import { naming } from "../naming.ts"

const root = path.resolve(import.meta.dirname, "../..")
const names = Object.keys(builtInAgents)

/** A repository with one commit, one change since, and a home of its own. */
let base: string
let repository: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-built-in-"))
  repository = path.join(base, "repository")
  mkdirSync(repository)
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], {
      cwd: repository,
      stdio: "ignore",
    })
  git("init", "-q")
  put("src/sum.js", "export const sum = (a, b) => a + b\n")
  put("package.json", '{ "type": "module" }\n')
  git("add", ".")
  git("commit", "-qm", "First")
  put("src/sum.js", "export const sum = (a, b) => a - b\n")
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(repository, file)), { recursive: true })
  writeFileSync(path.join(repository, file), text)
}

const open = () =>
  openWorkspace({ cwd: repository, home: base, environment: { CADRE_CONFIG_DIR: path.join(base, "config") } })

type Call = readonly [tool: string, input: object]

/** Runs an agent that makes these calls, one a turn, with every tool and nobody to ask. */
async function run(name: string, calls: readonly Call[]) {
  const store = memoryStore()
  const script = [...calls.map(([tool, input]) => ({ calls: [{ tool, input }] })), { text: "Done." }]
  const model = scriptedModel({ worker: [{ text: "Worked." }], [name]: script })
  const { registry } = open()
  const runtime = createRuntime({
    store,
    agents: registry,
    tools: [
      ...builtInTools({ root: repository, sandbox: "off" }),
      webSearchTool({ provider: "searxng", url: "http://127.0.0.1:1" }),
    ],
    models: { script: model, haiku: model },
  })
  const { run: id, outcome, output, proof } = await runtime.run(name, "Go.", { cwd: repository }).done
  const texts = await results(store, id)
  await runtime.close()
  return { outcome: outcome?.type, output, proof, texts }
}

/** What each is offered, and a call that it is there to make, with what comes back. */
const expected: Readonly<Record<string, { tools: readonly string[]; call: Call; says: string }>> = {
  critic: {
    tools: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "Think"],
    call: ["Read", { path: "src/sum.js" }],
    says: "     1\texport const sum = (a, b) => a - b",
  },
  explorer: {
    tools: ["Read", "Grep", "Glob", "LS", "DirectoryTree"],
    call: ["Grep", { pattern: "sum", output_mode: "content" }],
    says: "src/sum.js:1:export const sum = (a, b) => a - b",
  },
  planner: {
    tools: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "TodoWrite", "Think"],
    call: ["TodoWrite", { todos: [{ content: "Who calls sum?", status: "pending" }] }],
    says: "[ ] Who calls sum?",
  },
  researcher: {
    tools: ["Read", "Grep", "Glob", "WebFetch", "WebSearch"],
    call: ["Glob", { pattern: "**/package.json" }],
    says: "package.json",
  },
  reviewer: {
    tools: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
    call: ["GitDiff", {}],
    says: "diff --git a/src/sum.js b/src/sum.js\n--- a/src/sum.js\n+++ b/src/sum.js\n@@ -1 +1 @@\n-export const sum = (a, b) => a + b\n+export const sum = (a, b) => a - b",
  },
  "test-writer": {
    tools: ["Read", "Grep", "Glob", "LS", "Edit", "Write", "Bash"],
    call: ["Write", { path: "test/sum.test.js", content: 'import "../src/sum.js"\n' }],
    says: "Created …/test/sum.test.js: 23 bytes.",
  },
  "validation-runner": {
    tools: ["Bash", "Read", "Grep", "Glob"],
    call: ["Bash", { command: "cat src/sum.js; exit 3" }],
    says: "export const sum = (a, b) => a - b\n[Exit code 3. Ran without a sandbox: it was switched off.]",
  },
  worker: {
    tools: canonicalTools.filter((name) => !["Skill", "AskParent", "Executor"].includes(name)),
    call: ["Write", { path: "made.txt", content: "made" }],
    says: "Created …/made.txt: 4 bytes.",
  },
}

test("the list, the folder and this table have the same agents", () => {
  expect(readdirSync(path.join(root, "agents")).sort()).toEqual(Object.values(builtInAgents).sort())
  expect(Object.keys(expected)).toEqual(names)
})

describe.each(names)("%s", (name) => {
  const file = path.join(root, "agents", builtInAgents[name]!)

  test("passes the strictest check without a word", async () => {
    expect(await cadre("check", "--strict", file)).toEqual({
      code: 0,
      stdout: "No problems in 1 file.\n",
      stderr: "",
    })
  })

  test("says when to use it, what to return, and its own bounds", () => {
    const agent = open().registry.get(name)
    expect(agent).toMatchObject({ name, origin: { scope: "built-in", file } })
    expect(agent.description.length).toBeLessThanOrEqual(200)
    expect(agent.instructions).toContain("What to return:")
    expect(agent.limits.maxTurns).toBeLessThanOrEqual(defaultLimits.maxTurns)
    expect(agent.limits.timeout).toBeLessThanOrEqual(defaultLimits.timeout)
  })

  test("names no tool that it has not", () => {
    const { tools, instructions } = open().registry.get(name)
    const told = canonicalTools.filter((tool) => new RegExp(`\\b${tool}\\b`).test(instructions))
    // Words that begin sentences, and are no tools there.
    const meant = told.filter((tool) => !["Read", "Edit", "Write"].includes(tool))
    expect(meant.filter((tool) => tools.mode === "list" && !tools.allow.includes(tool))).toEqual([])
  })

  test("does what it is there for, and is offered what it needs and nothing else", async () => {
    const { tools, call, says } = expected[name]!
    const { outcome, output, proof, texts } = await run(name, [call])
    expect({ outcome, output, denied: proof.denied, offered: [...proof.toolsOffered].sort() }).toEqual({
      outcome: "completed",
      output: "Done.",
      denied: [],
      offered: [...tools].sort(),
    })
    expect(texts.map((text) => text.replaceAll(repository, "…").replace(/^index .*\n/m, ""))).toEqual([says])
  })
})

describe("what they must not do does not happen", () => {
  const writing: readonly Call[] = [
    ["Write", { path: "made.txt", content: "made" }],
    ["Edit", { path: "src/sum.js", old_string: "a - b", new_string: "made" }],
    ["ApplyPatch", { patch: "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch" }],
  ]
  const running: Call = ["Bash", { command: "echo made > made.txt" }]
  const delegating: Call = ["Agent", { agent: "worker", prompt: "Write made.txt." }]
  const readers = ["explorer", "reviewer", "planner", "critic", "researcher"]

  test.each([
    ...readers.map((name) => [name, [...writing, running, delegating]] as const),
    ["validation-runner", [...writing, delegating]] as const,
    ["test-writer", [writing[2]!, delegating]] as const,
  ])("%s", async (name, calls) => {
    const { outcome, proof, texts } = await run(name, calls)
    const tools = calls.map(([tool]) => tool)
    expect({
      outcome,
      texts,
      offered: tools.filter((tool) => proof.toolsOffered.includes(tool)),
      denied: proof.denied.map(({ tool }) => tool),
      written: proof.evidence.files,
    }).toEqual({
      outcome: "denied",
      texts: tools.map((tool) => naming(`Not permitted: ${tool} is not among`, `agent "${name}"`)),
      offered: [],
      denied: tools,
      written: [],
    })
    expect(existsSync(path.join(repository, "made.txt"))).toBe(false)
    expect(readFileSync(path.join(repository, "src/sum.js"), "utf8")).toBe(
      "export const sum = (a, b) => a - b\n",
    )
  })
})

test("worker has no more than whoever calls it, and hands nothing to itself", async () => {
  const store = memoryStore()
  const narrow = defineAgent({ name: "narrow", instructions: "Look.", tools: ["Read", "Agent(worker)"] })
  const { registry } = open()
  registry.register(narrow)
  const attempts: readonly Call[] = [
    ["Write", { path: "made.txt", content: "made" }],
    ["Bash", { command: "echo made > made.txt" }],
    ["Agent", { agent: "worker", prompt: "Write made.txt." }],
    ["Agent", { agent: "test-writer", prompt: "Write made.txt." }],
  ]
  const runtime = createRuntime({
    store,
    agents: registry,
    tools: builtInTools({ root: repository, sandbox: "off" }),
    models: {
      script: scriptedModel({
        narrow: [{ calls: [{ tool: "Agent", input: { prompt: "Go." } }] }, { text: "Done." }],
        worker: [{ calls: attempts.map(([tool, input]) => ({ tool, input })) }, { text: "I could not." }],
      }),
    },
  })
  const { run: id } = await runtime.run("narrow", "Go.", { cwd: repository }).done
  const { proof, outcome } = await runtime.read(`${id}.1`)
  const not = "Not permitted: "
  expect({
    outcome: outcome?.type,
    offered: proof.toolsOffered.filter((tool) => !tool.startsWith("A")),
    texts: await results(store, `${id}.1`),
    made: existsSync(path.join(repository, "made.txt")),
  }).toEqual({
    outcome: "denied",
    offered: ["Read"],
    texts: [
      naming(`${not}Write is not available`, `called agent "worker" does not`),
      naming(`${not}Bash is not available`, `called agent "worker" does not`),
      expect.stringMatching(/"worker" may not call "worker"/),
      naming(`${not}Agent (test-writer) is denied`, 'agent "narrow"'),
    ],
    made: false,
  })
  await runtime.close()
})

test("one is handed work by another, and has no more than its own tools there", async () => {
  const store = memoryStore()
  const runtime = createRuntime({
    store,
    agents: open().registry,
    tools: builtInTools({ root: repository, sandbox: "off" }),
    models: {
      script: scriptedModel({
        worker: [
          { calls: [{ tool: "Agent", input: { agent: "explorer", prompt: "Find sum." } }] },
          { text: "Done." },
        ],
        explorer: [
          { calls: [{ tool: "Write", input: { path: "made.txt", content: "made" } }] },
          { calls: [{ tool: "LS", input: { path: "src" } }] },
          { text: "In src." },
        ],
      }),
    },
  })
  const { run: id, output } = await runtime.run("worker", "Go.", { cwd: repository }).done
  expect({
    output,
    reports: await results(store, id),
    seen: await results(store, `${id}.1`),
    made: existsSync(path.join(repository, "made.txt")),
  }).toEqual({
    output: "Done.",
    reports: ["In src."],
    seen: [naming("Not permitted: Write", 'agent "explorer"'), expect.stringContaining("sum.js")],
    made: false,
  })
  await runtime.close()
})

test("validation-runner has the fields of its source", () => {
  const { registry } = open()
  const { model, tools, limits, variables, workflow, mode } = registry.get("validation-runner")
  expect({ model, tools, limits, variables, workflow, mode }).toEqual({
    model: "haiku",
    tools: { mode: "list", allow: ["Bash", "Read", "Grep", "Glob"], deny: [] },
    limits: { timeout: 1_800_000, maxTurns: 10 },
    variables: { validation_model: null, require_task_before_edit: false },
    workflow: null,
    mode: "headless",
  })
})

describe("eject", () => {
  const inProject = (name: string) => path.join(repository, ".cadre/agents", `${name}.md`)

  test.each(names)("%s: the copy is the same agent, sound, and used from then on", async (name) => {
    const before = open().registry.get(name)
    expect(await cadre("eject", name)).toEqual({
      code: 0,
      stdout: naming(`.cadre/agents/${name}.md`, `built-in ${name}.`, "`cadre trust`"),
      stderr: "",
    })
    const after = open().registry.get(name)
    expect(after.origin).toMatchObject({ format: "cadre", scope: "project", file: inProject(name) })
    expect(told(after)).toEqual(told(before))
    expect((await cadre("check", "--strict")).stdout).toBe("No problems in 1 file.\n")
    expect(readdirSync(path.dirname(inProject(name)))).toEqual([`${name}.md`])
  })

  test.each([
    ["eject", "explorer"],
    ["new", "helpful"],
  ])("%s writes nothing where a link of the project leads elsewhere", async (...words) => {
    mkdirSync(path.join(base, "elsewhere"))
    symlinkSync("../elsewhere", path.join(repository, ".cadre"))
    expect(await cadre(...words)).toMatchObject({
      code: 2,
      stderr: naming("symbolic link", "leads there"),
    })
    expect(readdirSync(path.join(base, "elsewhere"))).toEqual([])
  })

  test("a file in cadre's own format is copied byte for byte", async () => {
    await cadre("eject", "explorer")
    expect(readFileSync(inProject("explorer"))).toEqual(readFileSync(path.join(root, "agents/explorer.md")))
  })

  test("what is there is left as it is, unless --force is given", async () => {
    put(".cadre/agents/critic.md", "mine\n")
    const { code, stdout, stderr } = await cadre("eject", "critic")
    expect({ code, stdout, text: readFileSync(inProject("critic"), "utf8") }).toEqual({
      code: 2,
      stdout: "",
      text: "mine\n",
    })
    expect(stderr).toMatch(/^cadre: \.cadre\/agents\/critic\.md already exists.*--force/)
    expect((await cadre("eject", "critic", "--force")).code).toBe(0)
    expect(readFileSync(inProject("critic"), "utf8")).toContain("name: critic")
    expect(readdirSync(path.dirname(inProject("critic")))).toEqual(["critic.md"])
  })

  test("a name that nobody has is told with the nearest and all there are", async () => {
    expect(await cadre("eject", "explorr")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`Did you mean "explorer"? Known: ${names.join(", ")}.`),
    })
  })

  test("--user writes into the person's own folder, and says where another is used in its place", async () => {
    const own = path.join(base, "config/agents/worker.md")
    expect((await cadre("eject", "worker", "--user")).stdout).toBe(
      `Wrote ${own}. It now replaces the built-in worker.\n`,
    )
    put(".claude/agents/worker.md", "---\nname: worker\ndescription: Works.\n---\n\nWork.\n")
    expect((await cadre("eject", "worker", "--user", "--force")).stdout).toBe(
      `Wrote ${own}. But .claude/agents/worker.md also defines worker and takes precedence.\n`,
    )
    expect(JSON.parse((await cadre("eject", "worker", "--user", "--force", "--json")).stdout)).toEqual({
      file: own,
      name: "worker",
      state: "shadowed",
    })
  })

  test("one that is hidden can be taken out and is used then", async () => {
    mkdirSync(path.join(base, "config"))
    writeFileSync(path.join(base, "config/config.yaml"), "hide_built_in_agents: '*'\n")
    expect(open().registry.names()).toEqual([])
    await cadre("eject", "planner")
    expect(open().registry.names()).toEqual(["planner"])
  })
})

/** All that an agent says, but where it stands and what only another tool reads. */
function told({ origin: _, extensions: __, ...rest }: Agent) {
  return rest
}

const cadre = (...words: readonly string[]) =>
  dispatched(words, {
    directory: repository,
    environment: { HOME: base, CADRE_CONFIG_DIR: path.join(base, "config") },
  })
