import fc from "fast-check"
import { expect, test } from "vitest"
import { type AgentInput, defineAgent, type RuleDecision } from "../../src/agent/agent.ts"
import { type Access, defineTool, type Tool, type ToolEffect } from "../../src/agent/tool.ts"
import { CadreError } from "../../src/ground/errors.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import type { RunStart } from "../../src/run/log/event-run.ts"
import { type JudgedCall, judge } from "../../src/run/rights/rights.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { stateOf } from "../kit.ts"
import { scripted } from "../named-models.ts"

const cwd = process.cwd()
const agentNames = ["a1", "a2", "a3", "b1", "b2"]
const strictness: Readonly<Record<RuleDecision, number>> = { allow: 0, ask: 1, deny: 2 }

/** Everything that a run is asked to do, and that its parent might have done. */
const uses: readonly { readonly tool: string; readonly accesses?: readonly Access[] }[] = [
  { tool: "Read", accesses: [{ type: "read", path: `${cwd}/src/a.ts` }] },
  { tool: "Read", accesses: [{ type: "read", path: "/etc/hosts" }] },
  { tool: "Edit", accesses: [{ type: "write", path: `${cwd}/src/a.ts` }] },
  { tool: "Edit", accesses: [{ type: "write", path: `${cwd}/docs/b.md` }] },
  { tool: "Bash", accesses: [{ type: "command", text: "git status" }] },
  {
    tool: "Bash",
    accesses: [
      { type: "command", text: "cp a b" },
      { type: "write", path: `${cwd}/docs/b` },
      { type: "read", path: `${cwd}/src`, below: true },
    ],
  },
  { tool: "Bash", accesses: [{ type: "dangerous", reason: "it removes" }] },
  { tool: "WebFetch", accesses: [{ type: "host", host: "example.com" }] },
  { tool: "pay" },
]

const patterns = [
  ...[
    "Read",
    "Edit",
    "Bash",
    "WebFetch",
    "pay",
    "*",
    "R*",
    "read_file",
    "run_shell_command",
    "Agent",
    "Task",
  ],
  ...["Read(src/**)", "Read(/etc/**)", "Edit(./docs/**)", "Edit(src/*)", "Bash(git:*)", "Bash(cp a b)"],
  ...["WebFetch(example.com)", "Agent(a1, b2)", "Agent(a*)"],
]
const grants = fc.uniqueArray(fc.constantFrom(...patterns), { maxLength: 5 })

const definition = (name: string): fc.Arbitrary<AgentInput> =>
  fc
    .record(
      {
        // Most must be able to hand work on, or there is no tree.
        tools: fc.oneof(
          { weight: 3, arbitrary: grants.map((list) => [...list, "Agent"]) },
          { weight: 1, arbitrary: grants },
        ),
        disallowedTools: fc.uniqueArray(
          fc.constantFrom(...patterns.filter((text) => text !== "*" && text !== "Agent" && text !== "Task")),
          { maxLength: 2 },
        ),
        rules: fc.array(
          fc.record({
            tool: fc.constantFrom(...patterns),
            decision: fc.constantFrom<RuleDecision>("allow", "allow", "ask", "deny"),
          }),
          { maxLength: 3 },
        ),
        delegates: grants,
        permissionMode: fc.constantFrom("plan", "default", "bypassPermissions"),
        recursive: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map((parts) => ({ name, instructions: "x", ...parts }))

const forest = fc.record({
  agents: fc.tuple(...agentNames.map(definition)),
  /** Whom each agent hands work to. */
  calls: fc.tuple(...agentNames.map(() => fc.uniqueArray(fc.constantFrom(...agentNames), { maxLength: 3 }))),
})

test("with `delegation: narrow`, rights(child) is a subset of rights(parent), for random definitions in trees of three levels", async () => {
  const depths = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(forest, async ({ agents, calls }) => {
      for (const { start, parent } of await grow(agents, calls)) {
        depths.set(start.depth, (depths.get(start.depth) ?? 0) + 1)
        if (!parent) continue
        const given = [...parent.tools, ...(parent.delegates ?? [])]
        expect(given).toEqual(expect.arrayContaining([...start.tools, ...(start.delegates ?? [])]))
        for (const call of allCalls)
          expect(
            strictness[decisionOf(start, start.tools, call)],
            JSON.stringify({ call, start, parent }),
          ).toBeGreaterThanOrEqual(strictness[decisionOf(parent, given, call)])
      }
    }),
    { numRuns: 200 },
  )
  // Where nothing is handed on, nothing is proved.
  expect([1, 2, 3].map((depth) => (depths.get(depth) ?? 0) > 100)).toEqual([true, true, true])
})

test("with `delegation: narrow`, what a child really does its parent could have done or given, and nobody was called whom an ancestor may not call", async () => {
  let below = 0
  await fc.assert(
    fc.asyncProperty(forest, async ({ agents, calls }) => {
      const did = new Map<string, string[]>()
      const withoutAsking = agents.map((agent) => ({
        ...agent,
        ...(agent.rules && { rules: agent.rules.filter(({ decision }) => decision !== "ask") }),
      }))
      for (const { run, start, parent } of await grow(withoutAsking, calls, did)) {
        if (!parent) continue
        const { caller } = start
        const inherited = did.get(caller!.run) ?? []
        const given = new Set(parent.delegates)
        for (const use of did.get(run) ?? []) {
          below++
          // What a parent only gives away it has not done itself: there its rules alone can tell.
          const [tool, index] = use.split(" ")
          if (given.has(tool!)) expect(judge(parent.rights, uses[Number(index)]!).decision).not.toBe("deny")
          else expect(inherited, `${run} did ${use}`).toContain(use)
        }
        const call: JudgedCall = { tool: "Agent", accesses: [{ type: "agent", name: start.agent }] }
        expect(judge(parent.rights, call).decision).not.toBe("deny")
      }
    }),
    { numRuns: 100 },
  )
  expect(below).toBeGreaterThan(100)
})

const allCalls: readonly JudgedCall[] = [
  ...uses,
  ...agentNames.map((name): JudgedCall => ({ tool: "Agent", accesses: [{ type: "agent", name }] })),
  ...["AgentSend", "AgentCancel", "AskParent"].map((tool) => ({ tool })),
]

const decisionOf = ({ rights }: RunStart, tools: readonly string[], call: JudgedCall): RuleDecision =>
  tools.includes(call.tool) ? judge(rights, call).decision : "deny"

interface Grown {
  readonly run: string
  readonly start: RunStart
  readonly parent: RunStart | undefined
}

/** Runs the first agent and all it hands work to; with `did`, each also does all there is to do, as far as it may. */
async function grow(
  agents: readonly AgentInput[],
  calls: readonly (readonly string[])[],
  did?: Map<string, string[]>,
): Promise<readonly Grown[]> {
  const doing = did
    ? uses.flatMap(({ tool, accesses }, index) =>
        // What is dangerous asks, whatever the rules say.
        accesses?.some(({ type }) => type === "dangerous") ? [] : [{ tool, input: { index } }],
      )
    : []
  const store = memoryStore()
  const runtime = openRuntime({
    store,
    delegation: "narrow",
    agents: agents.map(defineAgent),
    tools: [...toolsThatNote(did), ...agentControlTools()],
    models: scripted(
      Object.fromEntries(
        agents.map(({ name }, index) => [
          name,
          [
            {
              calls: [
                ...doing,
                ...calls[index]!.map((agent) => ({ tool: "Agent", input: { agent, prompt: "x" } })),
              ],
            },
            { text: "done" },
          ],
        ]),
      ),
    ),
    limits: { maxSpawns: 30 },
  })
  const { run: root } = await runtime.run(agents[0]!.name, "go").done.catch((error) => {
    // A list of which nothing is left starts nothing.
    if (error instanceof CadreError && error.code === "TOOLS_DENIED") return { run: "" }
    throw error
  })
  if (root === "") return []
  const starts = new Map<string, RunStart>()
  for await (const { run } of store.list({ root })) starts.set(run, (await stateOf(store, run)).start!)
  await runtime.close()
  return [...starts].map(([run, start]) => ({
    run,
    start,
    parent: start.caller && starts.get(start.caller.run),
  }))
}

const effects: Readonly<Record<string, ToolEffect>> = { Read: "read", WebFetch: "read" }

const toolsThatNote = (did: Map<string, string[]> | undefined): readonly Tool[] =>
  [...new Set(uses.map(({ tool }) => tool))].map((name) =>
    defineTool<{ readonly index: number }>({
      name,
      description: name,
      effect: effects[name] ?? "opaque",
      input: { type: "object" },
      accesses: ({ index }) => uses[index]!.accesses ?? [],
      execute: ({ index }, { run }) => {
        did?.set(run, [...(did.get(run) ?? []), `${name} ${index}`])
        return "done"
      },
    }),
  )
