import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { OfferedTool } from "../../src/agent/model.ts"
import { type ModelServer, startModelServer } from "../../src/faces/testing/model-server.ts"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
let server: ModelServer
beforeEach(async () => {
  world = new CommandWorld()
  server = await startModelServer({ script: () => ({ text: "done" }) })
  world.put(
    "config/config.yaml",
    `model: local:m1\nproviders:\n  local: { protocol: openai, baseUrl: "${server.url}" }\n`,
  )
  world.put("work/AGENTS.md", "Write tests.\n")
  world.put("work/src/CLAUDE.md", "Small files.\n")
  world.put("work/docs/style.md", "Be brief.\n</file>\n{{task}}\n")
  world.put(
    "work/.claude/skills/commits/SKILL.md",
    "---\nname: commits\ndescription: d\n---\n\nCommit often.\n",
  )
  world.put("config/skills/reviews/SKILL.md", "Review twice.\n")
})
afterEach(async () => {
  world.remove()
  await server.close()
})

const task = 'Say $& and {{task}} to "them",\nplease.'
const everything = "context:\n  rules: true\n  environment: true\n  files: [docs/*.md]"

test.each([
  ["config/agents/plain.md", "name: plain\ndescription: d", "Help."],
  [
    "config/agents/narrow.md",
    "name: narrow\ndescription: d\ntools: [Read, Grep]\nlimits: {maxTurns: 1}",
    "Help.",
  ],
  [
    "config/agents/whole.md",
    `name: whole\ndescription: d\nskills: [reviews, commits]\n${everything}`,
    "Help.",
  ],
  [
    "config/agents/named.md",
    `name: named\ndescription: d\n${everything}\ntools: []`,
    "Do {{task}} and {{ task }}.",
  ],
  [
    "config/agents/steps.md",
    "name: steps\ndescription: d\nworkflow:\n  description: Look first.\n  steps:\n    - {name: plan, allowed_tools: [Read], status_message: 'Plan {{ task }}', on_enter: {inject_context: 'In {{ step }}.'}, transitions: {to: build}}\n    - {name: build}",
    "Help.",
  ],
  ["config/agents/fork.md", "name: fork\ndescription: d\ncontext: fork\nresult: {type: object}", "Help."],
  ["work/.acai/subagents/acai.md", "name: acai\ndescription: d\ntools: Read, Agent", "Help."],
  ["work/.acai/subagents/acai.md", "name: acai\ndescription: d", "Do {{task}}."],
  ["work/.claude/agents/claude.md", "name: claude\ndescription: d\nskills: commits\ntools: Read", "Help."],
])("what show prints for %s, %s, is what a run sends", async (file, keys, body) => {
  world.put(file, `---\n${keys}\n---\n\n${body}\n`)
  await world.cadre("trust", "--yes")
  const name = path.basename(file, ".md")
  const folder = "work/src"
  const shown = JSON.parse((await world.within(folder, "show", name, "--task", task, "--json")).stdout)
  expect(server.requests.length).toBe(0)
  expect(existsSync(path.join(world.base, "state/runs"))).toBe(false)
  await world.within(folder, "run", name, task, "--deny")
  const { messages, tools = [] } = server.requests[0]!.body as {
    messages: readonly { role: string; content: string }[]
    tools?: readonly { function: object }[]
  }
  const { request } = shown
  expect(messages).toEqual([
    { role: "system", content: request.system },
    ...request.messages.map(({ role, text }: { role: string; text: string }) => ({ role, content: text })),
  ])
  expect(tools.map((tool) => tool.function)).toEqual(
    request.tools.map(({ name, description, input }: OfferedTool) => ({
      name,
      description,
      parameters: input,
    })),
  )
  expect(request.model.resolved).toBe("local/m1")
})

test("what an agent declares is in what is shown, in order, and an acai file ends with the environment", async () => {
  world.put(
    "config/agents/whole.md",
    `---\nname: whole\ndescription: d\nskills: [reviews, commits]\n${everything}\n---\n\nHelp.\n`,
  )
  world.put("work/.acai/subagents/acai.md", "---\nname: acai\ndescription: d\n---\n\nDo {{task}}.\n")
  await world.within("work/src", "trust", "--yes")
  const { stdout } = await world.within("work/src", "show", "whole", "--task", "T")
  const parts =
    /^(?:--- \w+|Help\.|<skill.*|<rules.*|<file.*|<environment>|Write tests\.|Small files\.|Be brief\.|&lt;\/file>|\{\{task\}\})/gm
  expect(stdout.match(parts)).toEqual([
    "--- system",
    "Help.",
    '<skill name="reviews">',
    '<skill name="commits">',
    '<rules file="AGENTS.md">',
    "Write tests.",
    '<rules file="src/CLAUDE.md">',
    "Small files.",
    '<file path="docs/style.md">',
    "Be brief.",
    "&lt;/file>",
    "{{task}}",
    "<environment>",
    "--- user",
    "--- tools",
    "--- model",
  ])
  const acai = JSON.parse((await world.cadre("show", "acai", "--task", "T", "--json")).stdout)
  expect(acai.request.system).toMatch(
    /^Do T\.\n\n<environment>\nWorking directory: .*\n[\s\S]*<\/environment>$/,
  )
})

test("what nobody trusts is not sent: rules are left out with a note, a skill keeps the agent from starting", async () => {
  world.put("config/agents/ruled.md", `---\nname: ruled\ndescription: d\n${everything}\n---\n\nHelp.\n`)
  world.put(
    "config/agents/skilled.md",
    "---\nname: skilled\ndescription: d\nskills: [commits]\n---\n\nHelp.\n",
  )
  const { request } = JSON.parse((await world.cadre("show", "ruled", "--json")).stdout)
  expect(request.system).not.toContain("Write tests.")
  expect(request.system).toContain("Be brief.")
  expect(request.warnings).toEqual([expect.stringMatching(/AGENTS\.md .*this project is not trusted/)])
  const { problem } = JSON.parse((await world.cadre("show", "skilled", "--json")).stdout)
  expect(problem).toMatch(
    /cannot start without its skill "commits", which may not be loaded\. The skill "commits" of this project \(\.claude\/skills\/commits\/SKILL\.md\) is not trusted/,
  )
  const { code, result } = await world.json("run", "skilled", "x")
  expect([code, result.error.code, result.error.message.startsWith(problem)]).toEqual([
    1,
    "SKILL_UNKNOWN",
    true,
  ])
  const review = JSON.parse((await world.cadre("trust", "--json", "--yes")).stdout)
  expect(review.files.find(({ file }: { file: string }) => file === "AGENTS.md").gains).toEqual([
    naming("instructions to agents", "project's rules"),
  ])
  expect((await world.json("run", "skilled", "x")).code).toBe(0)
  expect(server.requests.length).toBe(1)
})

test("show works without a key, runs nothing and keeps nothing", async () => {
  world.put(
    "config/agents/keyless.md",
    "---\nname: keyless\ndescription: d\nmodel: anthropic:sonnet\n---\n\nHelp.\n",
  )
  const { code, stdout } = await world.cadre("show", "keyless", "--task", "T")
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /--- system\nHelp\.\n--- user\nT\n--- tools \(\d+ bytes.*\)\nRead, .*\n--- model\n.*ANTHROPIC_API_KEY/,
  )
  expect(readdirSync(world.base)).not.toContain("state")
})

test("what a step would run as the run starts is not run, and what that could tell is said to be missing", async () => {
  world.put("config/workflows/plan-first.yaml", "steps:\n  - {name: plan, on_enter: {run: 'touch ran'}}\n")
  world.put("config/agents/dev.md", "---\nname: dev\ndescription: d\nworkflow: plan-first\n---\n\nHelp.\n")
  const { request } = JSON.parse((await world.cadre("show", "dev", "--task", "T", "--json")).stdout)
  expect(request.messages.map(({ text }: { text: string }) => text)).toEqual([
    "T",
    "You are in the step 'plan' (1 of 1) of the workflow 'plan-first'.\nAllowed tools: all\nThe workflow 'plan-first' is complete.",
  ])
  expect(request.warnings).toEqual([naming('"touch ran"', "the first request")])
  expect(existsSync(path.join(world.work, "ran"))).toBe(false)
})
