import { describe, expect, test } from "vitest"
import { told } from "./lifecycle-names-kit.ts"

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
