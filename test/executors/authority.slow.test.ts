import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ExecutorSettings } from "../../src/agent/executor.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { RunOptions } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { temporaryFolder } from "../file-kit.ts"
import { temporaryRepository } from "../git-kit.ts"
import { results, stateOf } from "../kit.ts"
import { naming } from "../naming.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { by, executing } from "./kit.ts"

const hand = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "Go." } }] })

/** A lead that hands its task to the agent `once`, which is run by a program. */
const leading = (lead: Partial<AgentInput>, more: Parameters<typeof executing>[2] = {}) =>
  executing({ once: {} }, [{ name: "lead", instructions: "Lead.", ...lead }, by("once")], {
    script: { lead: [hand("once"), { text: "done" }] },
    ...more,
  })

const ran = (folder: string): number =>
  fs.existsSync(path.join(folder, "ran.txt"))
    ? fs.readFileSync(path.join(folder, "ran.txt"), "utf8").trim().split("\n").length
    : 0

describe("rules speak of it as Executor(NAME)", () => {
  test.each(["Executor", "Executor(once)", "Executor(o*)", "*"])(
    "%s denied: it does not run",
    async (tool) => {
      const { run, folder } = executing({ once: {} }, undefined, { rules: [{ tool, decision: "deny" }] })
      await expect(run("once")).rejects.toMatchObject({
        code: "EXECUTOR_DENIED",
        message: expect.stringMatching(
          /^Agent "once" was not started: .*Executor\(once\).* the configuration/,
        ),
      })
      expect(ran(folder)).toBe(0)
    },
  )

  test("a rule about another says nothing of it", async () => {
    const rules = [{ tool: "Executor(other)", decision: "deny" as const }]
    const { run } = executing({ once: {} }, undefined, { rules })
    expect(await run("once")).toEqual({ outcome: { type: "completed" }, output: "ran" })
  })

  test.each([
    ["default", "resting"],
    ["accept-edits", "resting"],
    ["bypass", "completed"],
  ] as const)("in the mode %s it is %s", async (type, expected) => {
    const { start, folder } = executing({ once: {} }, undefined, { mode: { type, root: "/" } })
    const { status, outcome } = await start("once", "Go.").done
    expect(status === "resting" ? status : outcome?.type).toBe(expected)
    expect(ran(folder)).toBe(expected === "completed" ? 1 : 0)
  })

  test.each([[[]], [[{ tool: "Executor(once)", decision: "allow" as const }]]])(
    "in the mode plan it does not start, whatever rules allow: %j",
    async (rules) => {
      const { run, folder } = executing({ once: {} }, undefined, { mode: { type: "plan", root: "/" }, rules })
      await expect(run("once")).rejects.toThrow(/Executor\(once\) .* plan mode/)
      expect(ran(folder)).toBe(0)
    },
  )

  test("asked about, it rests with the command before the prompt, and runs once it is allowed", async () => {
    const { start, runtime, folder } = executing({ once: {} }, undefined, {
      rules: [{ tool: "Executor", decision: "ask" }],
    })
    const handle = start("once", "Go.")
    const { status, approvals } = await handle.done
    expect(status).toBe("resting")
    expect(approvals).toMatchObject([{ call: "c1", tool: "Executor" }])
    expect(Object.keys(JSON.parse(approvals[0]!.arguments))).toEqual([
      "executor",
      "command",
      "wants",
      "prompt",
    ])
    await runtime.approve(handle.id, "c1", "allow")
    expect((await runtime.resume(handle.id).done).output).toBe("ran")
    expect(ran(folder)).toBe(1)
  })

  test("what was asked about is what runs: with another command since, nothing does", async () => {
    const first = executing({ once: {} }, undefined, { rules: [{ tool: "Executor", decision: "ask" }] })
    const handle = first.start("once", "Go.")
    await handle.done
    await first.runtime.approve(handle.id, "c1", "allow")
    const later = executing({ once: { words: ["echo"] } }, undefined, { store: first.store })
    expect((await later.runtime.resume(handle.id).done).outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(/^Not run: .*executor once .*\(command\)/),
    })
    expect(ran(first.folder)).toBe(0)
  })
})

test("what narrows the agent must still reach the program when its run goes on", async () => {
  const first = executing(
    { arguments: { options: { tools: ["--tools", "{}"] } } },
    [by("arguments", { tools: ["Read"] })],
    {
      rules: [{ tool: "Executor", decision: "ask" }],
    },
  )
  const handle = first.start("arguments", "Go.")
  await handle.done
  await first.runtime.approve(handle.id, "c1", "allow")
  const command = [process.execPath, path.join(first.folder, "stand-in.mjs"), "arguments"]
  const later = executing({ arguments: { command } }, [], { store: first.store })
  expect((await later.runtime.resume(handle.id).done).outcome).toEqual({
    type: "failed",
    reason: expect.stringMatching(
      /^Not run: Agent "arguments" was not started: .*it may use only Read .*`options: \{tools: /,
    ),
  })
})

describe("children only narrow", () => {
  const unhanded = (caller: string) =>
    naming(
      `Cannot spawn 'once': Agent "once" was not started: `,
      "its executor once",
      `agent "${caller}", cannot delegate Executor`,
      `\`delegates: Executor(once)\` to agent "${caller}"`,
    )

  test("whoever has all tools may start one, and is not offered it", async () => {
    const { start, store, folder } = leading({})
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual(["ran"])
    const { start: begun } = await stateOf(store, handle.id)
    expect(begun!.tools).not.toContain("Executor")
    expect(begun!.delegates).toEqual(["Executor"])
    expect(ran(folder)).toBe(1)
  })

  test("whoever has a list without it may not", async () => {
    const { start, store, folder } = leading({ tools: ["Agent"] })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([unhanded("lead")])
    expect(ran(folder)).toBe(0)
  })

  test.each([
    ["delegates: Executor", { delegates: ["Executor"] }, "ran"],
    ["delegates: Executor(once)", { delegates: ["Executor(once)"] }, "ran"],
    [
      "delegates: Executor(other)",
      { delegates: ["Executor(other)"] },
      expect.stringMatching(/^Cannot spawn 'once': .*Executor\(once\).* agent "lead"/),
    ],
    ["tools: Executor(once)", { tools: ["Agent", "Executor(once)"] }, "ran"],
    [
      "tools: Executor(other)",
      { tools: ["Agent", "Executor(other)"] },
      expect.stringMatching(/^Cannot spawn 'once': .*Executor\(once\).* agent "lead"/),
    ],
    [
      "disallowedTools: Executor",
      { tools: ["Agent"], delegates: ["Executor"], disallowedTools: ["Executor"] },
      expect.stringMatching(/^Cannot spawn 'once': .*Executor.* agent "lead".*`Executor`/),
    ],
  ])("with %s", async (_, lead: Partial<AgentInput>, expected) => {
    const { start, store } = leading({ tools: ["Agent"], ...lead })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([expected])
  })

  test("rules about other programs, about runs here, and such as allow, bind no program", async () => {
    const { start, store } = leading({
      disallowedTools: ["AgentStatus"],
      workflow: { steps: [{ name: "only" }] },
      rules: [
        { tool: "Executor(other)", decision: "deny" },
        { tool: "AgentWait", decision: "ask" },
        { tool: "AgentSend", decision: "allow" },
      ],
    })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual(["ran"])
  })

  test("nor does it pass through whoever has it not", async () => {
    const { start, store, folder } = executing(
      { once: {} },
      [
        { name: "lead", instructions: "Lead." },
        { name: "middle", instructions: "Pass on.", tools: ["Agent"] },
        by("once"),
      ],
      { script: { lead: [hand("middle"), { text: "done" }], middle: [hand("once"), { text: "none" }] } },
    )
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, `${handle.id}.1`)).toEqual([unhanded("middle")])
    expect(ran(folder)).toBe(0)
  })

  test("a call that takes tools away takes it away", async () => {
    const { run } = executing({ once: {} })
    await expect(run("once", "Go.", { tools: ["Agent"] })).rejects.toMatchObject({ code: "EXECUTOR_DENIED" })
    expect(await run("once", "Go.", { tools: ["Executor"] })).toMatchObject({ output: "ran" })
  })

  test("a model that calls it all the same is refused", async () => {
    const { start, store, folder } = executing({ once: {} }, [{ name: "lead", instructions: "Lead." }], {
      script: {
        lead: [
          {
            calls: [
              { tool: "Executor", input: { executor: "once", command: [], wants: "text", prompt: "x" } },
            ],
          },
          { text: "done" },
        ],
      },
    })
    const handle = start("lead", "Go.")
    await handle.done
    expect(await results(store, handle.id)).toEqual([
      naming("Not permitted: Executor", "no model may call it"),
    ])
    expect(ran(folder)).toBe(0)
  })

  test("a definition in the mode plan starts none", async () => {
    const { run } = executing({ once: {} }, [by("once", { permissionMode: "plan" })])
    await expect(run("once")).rejects.toThrow(/Executor\(once\) .* agent "once" .*`permissionMode: plan`/)
  })
})

describe("what would not hold does not start", () => {
  test.each<[string, Partial<AgentInput>, Partial<ExecutorSettings>, RunOptions, string, string]>([
    [
      "an executor that nobody configured",
      { executor: "onse" },
      {},
      {},
      "EXECUTOR_UNKNOWN",
      naming('Agent "once"', 'executor "onse"', 'mean "once"', "Known: once.", "`executors:`"),
    ],
    [
      "a list of tools",
      { tools: ["Read"] },
      {},
      {},
      "EXECUTOR_DENIED",
      naming(
        'Agent "once" was not started: ',
        "executor once has no option",
        "only Read (from its `tools`)",
        "`options: {tools: [--tools, '{}']}`",
      ),
    ],
    [
      "a list of tools, with words for it that are none",
      { tools: ["Read"] },
      { options: { tools: undefined } as never },
      {},
      "EXECUTOR_DENIED",
      naming(
        'Agent "once" was not started: ',
        "executor once has no option",
        "only Read (from its `tools`)",
        "`options: {tools: [--tools, '{}']}`",
      ),
    ],
    [
      "tools that are taken away, and rules",
      { disallowedTools: ["Bash"], rules: [{ tool: "Agent", decision: "ask" }] },
      {},
      {},
      "EXECUTOR_DENIED",
      expect.stringMatching(
        /^Agent "once" was not started: .*agent "once" denies Bash; agent "once" asks about Agent\. .*`options: \{disallowedTools: /,
      ),
    ],
    [
      "steps of a workflow",
      { workflow: { steps: [{ name: "work" }] } },
      {},
      {},
      "EXECUTOR_DENIED",
      expect.stringMatching(/^Agent "once" was not started: .*`workflow`/),
    ],
    [
      "its caller's history",
      { context: "fork" },
      {},
      {},
      "AGENT_INVALID",
      expect.stringMatching(/^Agent "once" .*`context: fork`/),
    ],
    [
      "a model that the call chooses",
      {},
      {},
      { model: "sonnet" },
      "MODEL_DENIED",
      expect.stringMatching(/^Agent "once" .*"sonnet".*`options: \{model: /),
    ],
  ])("%s", async (_, agent, settings, options, code, message) => {
    const { run, folder } = executing({ once: settings }, [by("once", agent)])
    await expect(run("once", "Go.", options)).rejects.toMatchObject({ code, message })
    expect(ran(folder)).toBe(0)
  })

  test("an ended run that is to be continued", async () => {
    const { run, start } = executing({ once: {} })
    const { run: id } = await start("once", "Go.").done
    await expect(run("once", "More.", { continues: id })).rejects.toMatchObject({
      code: "AGENT_INVALID",
      message: expect.stringContaining(`Agent "once" cannot continue run ${id}`),
    })
  })

  test("what only changes how it works is a warning", async () => {
    const { start } = executing({ once: {} }, [
      by("once", {
        model: "opus",
        effort: "high",
        limits: { maxTurns: 3, idleTimeout: 5_000, timeout: 60_000 },
      }),
    ])
    const { proof } = await start("once", "Go.").done
    expect(proof.warnings).toEqual([
      'The executor once runs agent "once" and ignores its `model`, `effort`, `limits.idleTimeout`, `limits.maxTurns`.',
    ])
    expect(proof.model).toEqual({
      requested: "opus",
      source: "definition",
      resolved: "executor:once",
      reported: [],
    })
    expect(proof.evidence.commands).toEqual([
      {
        command: expect.stringMatching(/stand-in\.mjs once \(without a sandbox: it was switched off\)$/),
        exitCode: 0,
      },
    ])
  })
})

test("programs that code names are looked at when the runtime is made", () => {
  expect(() =>
    createRuntime({
      store: memoryStore(),
      executors: {
        none: { command: [] },
        "a b": { command: ["x"] },
        file: { command: ["x"], prompt: "file" },
      },
    }),
  ).toThrow(
    expect.objectContaining({
      code: "EXECUTOR_INVALID",
      message: expect.stringMatching(
        /executor "none" .*`command`.*; the executor "a b" has an invalid name.*; the executor "file" .*`\{prompt_file\}`/,
      ),
    }),
  )
})

test("no default model is needed, and nothing is asked of one", async () => {
  const { run } = executing({ once: {} }, undefined, { models: {} })
  expect(await run("once")).toEqual({ outcome: { type: "completed" }, output: "ran" })
})

test("what must hold at the end is looked at, and nobody is asked to mend it", async () => {
  const { run } = executing({ once: {} }, [by("once", { postconditions: [{ file: "missing.txt" }] })])
  expect((await run("once")).outcome).toMatchObject({
    type: "failed",
    reason: expect.stringContaining("missing.txt"),
  })
  const held = executing({ once: {} }, [by("once", { postconditions: [{ file: "ran.txt" }] })])
  expect((await held.run("once")).outcome).toEqual({ type: "completed" })
})

test.each(sandboxMissing === undefined ? (["required", "off"] as const) : (["off"] as const))(
  "in a worktree of its own it changes that alone, with the sandbox %s",
  async (sandbox) => {
    const { top, worktrees } = temporaryRepository({ "a.txt": "a\n" })
    const script = temporaryFolder({
      "stand-in.mjs": fs.readFileSync(path.join(import.meta.dirname, "stand-in.mjs")),
    })
    const command = [process.execPath, path.join(script, "stand-in.mjs"), "write", "a.txt"]
    const { runtime } = executing(
      { write: { command, sandbox, visible: [script] } },
      [by("write", { isolation: "worktree" })],
      { worktrees },
    )
    const { outcome, isolation } = await runtime.run("write", "Go.", { cwd: top }).done
    expect({ outcome, files: isolation!.files }).toEqual({
      outcome: { type: "completed" },
      files: [{ path: "a.txt", status: "modified" }],
    })
    expect(fs.readFileSync(path.join(top, "a.txt"), "utf8")).toBe("a\n")
  },
)

test("hooks see the call, and can block it or tell it something else", async () => {
  const { run, folder } = executing({ echo: {} }, undefined, {
    hooks: [
      {
        name: "guard",
        judge: async ({ tool, input }) => {
          expect(tool).toBe("Executor")
          if (String(input.prompt).includes("secret")) return { type: "block", reason: "no secrets" }
          return { type: "rewrite", arguments: JSON.stringify({ ...input, prompt: "Something else." }) }
        },
      },
    ],
  })
  expect((await run("echo", "Go.")).output).toBe("Something else.")
  expect((await run("echo", "A secret.")).outcome).toEqual({
    type: "denied",
    reason: expect.stringContaining("no secrets"),
  })
  expect(ran(folder)).toBe(0)
})

test("a message to a run that a program does is refused: nobody would read it", async () => {
  const { start, runtime, folder } = executing({ hang: {} })
  const handle = start("hang", "Go.")
  await expect.poll(() => ran(folder)).toBe(1)
  await expect(runtime.send(handle.id, "Hurry.")).rejects.toMatchObject({
    code: "MESSAGE_REFUSED",
    message: naming(`Run ${handle.id}`, "cannot read messages"),
  })
  await handle.cancel("enough")
  expect((await handle.done).proof.undelivered).toEqual([])
})
