import { describe, expect, test } from "vitest"
import {
  builtInTools,
  createRuntime,
  defineAgent,
  defineTool,
  type Json,
  memoryStore,
  SubagentRegistry,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { results } from "../kit.ts"

const handOn = defineTool<{ whom: string }>({
  name: "HandOn",
  description: "x",
  input: { type: "object" },
  delegate: ({ whom }) => ({ agent: whom, task: "x" }),
})

/** What a lead is told of one call under hooks, with tools as they ship. */
async function told(hooks: Json, tool: string, input: { readonly [name: string]: Json }) {
  const root = temporaryFolder({ "secret.txt": "hidden", "open.txt": "shown" })
  const agents = new SubagentRegistry()
  for (const name of ["lead", "worker"]) agents.register(defineAgent({ name, instructions: "x" }))
  agents.register(defineAgent({ name: "deploy", instructions: "x", aliases: ["shipper"] }))
  agents.register(defineAgent({ name: "failing", instructions: "x", fallback: ["shipper"] }))
  const store = memoryStore()
  const runtime = createRuntime({
    agents,
    store,
    tools: [...builtInTools({ root }), handOn],
    hookSets: [{ name: "project", of: "project", hooks }],
    models: {
      m: scriptedModel({
        lead: [{ calls: [{ tool, input }] }, { text: "done" }],
        deploy: [{ text: "deployed" }],
        failing: [{ error: { message: "500" } }],
        worker: [{ text: "worked" }],
      }),
    },
  })
  const handle = runtime.run("lead", "go", { cwd: root })
  await handle.done
  return (await results(store, handle.id))[0]
}

describe("a hook is not passed by because a model", () => {
  const secret = { before_tool: { when: '"secret" in tool_input.path', block: "no" } }
  test.each(["path", "file_path", "filePath", "filename"])("calls a path %s", async (name) => {
    expect(await told(secret, "Read", { [name]: "secret.txt" })).toBe("Not permitted: no")
    expect(await told(secret, "Read", { [name]: "open.txt" })).toContain("shown")
  })

  const deploying = { before_spawn: { when: "subagent == 'deploy'", block: "no" } }
  test.each(["agent", "subagent_type", "type", "subagent", "agent_type"])(
    "calls an agent %s",
    async (name) => {
      expect(await told(deploying, "Agent", { [name]: "deploy", prompt: "x" })).toBe("Not permitted: no")
      expect(await told(deploying, "Agent", { [name]: "worker", prompt: "x" })).toBe("worked")
    },
  )

  test("calls the agent by another name of it", async () => {
    expect(await told(deploying, "Agent", { agent: "shipper", prompt: "x" })).toBe("Not permitted: no")
  })

  test("hands work on with a tool that is not called Agent", async () => {
    expect(await told(deploying, "HandOn", { whom: "shipper" })).toBe("Not permitted: no")
    expect(await told(deploying, "HandOn", { whom: "worker" })).toBe("worked")
  })

  test("calls an agent that fails, and the next one is to get the work", async () => {
    const call = { agent: "failing", prompt: "x" }
    expect(await told(deploying, "Agent", call)).toContain("shipper could not begin: no.")
    expect(await told({}, "Agent", call)).toContain("deployed")
  })

  test("names no agent, and means the general one", async () => {
    const hooks = { before_spawn: { when: "subagent == 'worker'", block: "no" } }
    expect(await told(hooks, "Agent", { prompt: "x" })).toBe("Not permitted: no")
  })

  test("is followed by a hook that hands the call to somebody else", async () => {
    const hooks = {
      before_spawn: [
        { when: "subagent == 'worker'", rewrite_input: { agent: "deploy" } },
        deploying.before_spawn,
      ],
    }
    expect(await told(hooks, "Agent", { subagent_type: "worker", prompt: "x" })).toBe("Not permitted: no")
  })
})

test.each(["path", "file_path"])(
  "a hook that writes %s anew does, whatever the model called it",
  async (name) => {
    const hooks = { before_tool: { tools: "Read", rewrite_input: { [name]: "open.txt" } } }
    for (const called of ["path", "file_path", "filename"])
      expect(await told(hooks, "Read", { [called]: "secret.txt" })).toContain("shown")
  },
)

test("commands of Claude Code's hooks find a path where they look for it", async () => {
  const command = `grep -q '"file_path":"secret.txt"' && { echo no; exit 2; } || exit 0`
  const hooks = { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] }
  expect(await told(hooks, "Read", { path: "secret.txt" })).toBe("Not permitted: no")
  expect(await told(hooks, "Read", { path: "open.txt" })).toContain("shown")
})
