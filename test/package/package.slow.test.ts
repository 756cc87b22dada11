import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { builtInAgents } from "../../src/agent/built-in-agents.ts"

const root = path.resolve(import.meta.dirname, "../..")
/** A program of somebody else, with nothing installed but cadre and what it depends on. */
let consumer = ""
let installed = ""
let packed: readonly string[] = []

beforeAll(() => {
  consumer = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-package-"))
  installed = path.join(consumer, "node_modules", "cadre")
  packed = listPacked()
  for (const file of packed) {
    fs.mkdirSync(path.dirname(path.join(installed, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(installed, file))
  }
  for (const name of Object.keys(manifest.dependencies)) link(name)
})
afterAll(() => fs.rmSync(consumer, { recursive: true, force: true }))

test("dist is newer than every source", () => {
  const built = fs.statSync(path.join(root, "dist", "index.mjs"), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const newer = fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => fs.statSync(path.join(root, "src", file)).mtimeMs > built)
  expect(newer, "Run: npm run build").toEqual([])
})

test("nothing is published but what a user needs", () => {
  const allowed =
    /^(agents\/[\w-]+\.(md|yaml)|queries\/\w+\/cadre\/\w+\.scm|dist\/[\w.-]+\.(mjs|mjs\.map|d\.mts)|docs\/([\w-]+\/)*[\w-]+\.md|package\.json|LICENSE|(README|CHANGELOG|GLOSSARY)\.md)$/
  expect(packed.filter((file) => !allowed.test(file))).toEqual([])
  expect(packed).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/cli.mjs", "dist/index.mjs", "dist/testing.d.mts"]),
  )
})

describe("installed elsewhere", () => {
  test("an agent runs, and JSON Schema arguments are checked", () => {
    const program = `
      import { createRuntime, defineAgent, defineTool, memoryStore, scriptedModel } from "cadre"
      import "cadre/testing"
      import "cadre/ai-sdk"
      import "cadre/openai-agents"
      const input = { type: "object", properties: { word: { type: "string" } }, required: ["word"] }
      const say = defineTool({ name: "say", description: "", effect: "read", input, execute: ({ word }) => word })
      const model = scriptedModel({ a: [{ calls: [{ tool: "say", input: { word: 1 } }] }, { text: "done" }] })
      const agents = [defineAgent({ name: "a", instructions: "x" })]
      const runtime = createRuntime({ agents, tools: [say], models: { model }, store: memoryStore() })
      const run = runtime.run("a", "go")
      for await (const event of run) if (event.type === "tool-end") console.log(event.result.status)
      console.log((await run.done).outcome.type)`
    fs.writeFileSync(path.join(consumer, "program.mjs"), program)
    expect(node(["program.mjs"])).toEqual({ status: 0, stdout: "error\ncompleted\n", stderr: "" })
  })

  test("its types need nothing else that is installed", () => {
    link("@types/node")
    link("undici-types")
    fs.writeFileSync(
      path.join(consumer, "program.ts"),
      `import { type Runtime, createRuntime, defineTool, jsonlStore } from "cadre"
       import { aiSdkTools } from "cadre/ai-sdk"
       import { openAiAgentsTools } from "cadre/openai-agents"
       import { checkHistory } from "cadre/testing"
       export const runtime: Runtime = createRuntime({ store: jsonlStore() })
       export const tools = [aiSdkTools([]).Agent.description, ...openAiAgentsTools([]).map(({ name }) => name)]
       export const problems: readonly string[] = checkHistory([])
       export const tool = defineTool<{ path: string }>({
         name: "t", description: "", effect: "read", input: { type: "object" }, execute: ({ path }) => path,
       })`,
    )
    const settings = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: "es2022",
        types: ["node"],
        module: "nodenext",
      },
      files: ["program.ts"],
    }
    fs.writeFileSync(path.join(consumer, "package.json"), JSON.stringify({ type: "module" }))
    fs.writeFileSync(path.join(consumer, "tsconfig.json"), JSON.stringify(settings))
    const { status, stdout } = node([path.join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "."])
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" })
  })

  test("the command line starts", () => {
    const words = [path.join(installed, manifest.bin.cadre), "--version"]
    expect(node(words)).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" })
  })

  test("the agents that ship are found, and in a bundle nobody else's are taken for them", () => {
    const words = (folder: string) => [path.join(folder, "dist", "cli.mjs"), "list", "--names"]
    const names = Object.keys(builtInAgents).map((name) => `${name}\n`)
    expect(node(words(installed))).toEqual({ status: 0, stdout: names.join(""), stderr: "" })
    const app = path.join(consumer, "app")
    fs.cpSync(path.join(installed, "dist"), path.join(app, "dist"), { recursive: true })
    fs.cpSync(path.join(installed, "agents"), path.join(app, "agents"), { recursive: true })
    fs.writeFileSync(path.join(app, "package.json"), JSON.stringify({ name: "app", type: "module" }))
    expect(node(words(app))).toEqual({ status: 0, stdout: "", stderr: "" })
  })

  test("an old Node is told so", () => {
    const pretend =
      "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.18.9' })"
    const { status, stderr } = node(["--import", pretend, path.join(installed, "dist", "index.mjs")])
    expect(status).toBe(1)
    expect(stderr).toMatch(/needs Node 20\.19 or newer/)
  })
})

function listPacked(): readonly string[] {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  })
  return (JSON.parse(output) as [{ files: { path: string }[] }])[0].files.map((file) => file.path)
}

function link(name: string): void {
  const target = path.join(consumer, "node_modules", name)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  if (!fs.existsSync(target)) fs.symlinkSync(path.join(root, "node_modules", name), target, "junction")
}

function node(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: consumer,
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      NODE_NO_WARNINGS: "1",
      HOME: path.join(consumer, "home"),
      CADRE_CONFIG_DIR: path.join(consumer, "config"),
    },
  })
  return { status, stdout, stderr }
}
