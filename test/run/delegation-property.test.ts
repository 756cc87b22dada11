import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Agent,
  type AgentInput,
  defineAgent,
  type PermissionRule,
  type RuleDecision,
} from "../../src/agent/agent.ts"
import type { AgentIsolation } from "../../src/agent/isolation.ts"
import { defineTool, type Tool, type ToolEffect } from "../../src/agent/tool.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { CadreError } from "../../src/ground/errors.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import type { RunStart } from "../../src/run/log/event-run.ts"
import { withoutOwnSets } from "../../src/run/rights/binding-sets.ts"
import { type JudgedCall, judge } from "../../src/run/rights/rights.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { stateOf } from "../kit.ts"
import { scripted } from "../named-models.ts"

const cwd = process.cwd()
const agentNames = ["a", "b", "c", "d"]
const strictness: Readonly<Record<RuleDecision, number>> = { allow: 0, ask: 1, deny: 2 }
const effects: Readonly<Record<string, ToolEffect>> = {
  Read: "read",
  Edit: "opaque",
  Bash: "opaque",
  pay: "opaque",
}

/** Everything that a run might do. */
const calls: readonly JudgedCall[] = [
  { tool: "Read", accesses: [{ type: "read", path: `${cwd}/src/a.ts` }] },
  { tool: "Read", accesses: [{ type: "read", path: "/etc/hosts" }] },
  { tool: "Edit", accesses: [{ type: "write", path: `${cwd}/src/a.ts` }] },
  { tool: "Bash", accesses: [{ type: "command", text: "git status" }] },
  { tool: "Bash", accesses: [{ type: "command", text: "npm test" }] },
  { tool: "pay" },
  ...agentNames.map((name): JudgedCall => ({ tool: "Agent", accesses: [{ type: "agent", name }] })),
]

const entries = [
  ...["Read", "Edit", "Bash", "pay", "read_file", "run_shell_command", "*", "Agent", "Task"],
  ...["Read(src/**)", "Edit(src/**)", "Bash(git:*)", "Agent(a, b)", "Agent(c)", "Agent(d*)"],
]

interface Definition extends AgentInput {
  readonly tools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly format: string
}

interface World {
  readonly agents: readonly Definition[]
  /** Of the configuration. */
  readonly rules: readonly PermissionRule[]
}

/** What asks about agents would keep the tree from growing until somebody has answered. */
const asked = entries.filter((entry) => !/^(\*|Agent|Task)/.test(entry))

const rule: fc.Arbitrary<PermissionRule> = fc.oneof(
  fc.record({ tool: fc.constantFrom(...entries), decision: fc.constantFrom<RuleDecision>("allow", "deny") }),
  fc.record({ tool: fc.constantFrom(...asked), decision: fc.constant<RuleDecision>("ask") }),
)

const definition = (name: string): fc.Arbitrary<Definition> =>
  fc
    .record(
      {
        tools: fc
          .uniqueArray(fc.constantFrom(...entries), { maxLength: 4 })
          .chain((list) => fc.constantFrom(list, [...list, "Agent"])),
        disallowedTools: fc.uniqueArray(fc.constantFrom(...entries.filter((one) => one !== "*")), {
          maxLength: 1,
        }),
        rules: fc.array(rule, { maxLength: 1 }),
        permissionMode: fc.constantFrom("default", "default", "plan"),
        context: fc.constantFrom("fork" as const, undefined as never),
        isolation: fc.constantFrom("none", "worktree"),
        hooks: fc.constant({ run_end: [{ run: "npm test" }] }),
      },
      { requiredKeys: [] },
    )
    .chain((parts) =>
      fc
        .constantFrom("code", "cadre", "claude", "gobby")
        .map((format) => ({ name, instructions: "x", format, ...parts })),
    )

const world: fc.Arbitrary<World> = fc.record({
  agents: fc.tuple(...agentNames.map(definition)),
  rules: fc.array(rule, { maxLength: 1 }),
})

/** A tool less in some list, or a denial more somewhere. */
const change = fc.record({
  at: fc.nat(agentNames.length - 1),
  entry: fc.constantFrom(...entries),
  pick: fc.nat(),
  how: fc.constantFrom("remove", "remove", "deny", "rule", "ask", "plan", "configuration"),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function changed({ agents, rules }: World, { at, entry, pick, how }: Change): World {
  if (how === "configuration") return { agents, rules: [...rules, { tool: entry, decision: "deny" }] }
  return { rules, agents: agents.map((agent, index) => (index === at ? narrowed(agent) : agent)) }

  function narrowed(agent: Definition): Definition {
    const { tools, disallowedTools = [], rules: own = [] } = agent
    if (how === "plan") return { ...agent, permissionMode: "plan" }
    if (how === "rule") return { ...agent, rules: [...own, { tool: entry, decision: "deny" }] }
    if (how === "ask" && asked.includes(entry))
      return { ...agent, rules: [...own, { tool: entry, decision: "ask" }] }
    if (how === "remove" && tools && tools.length > 0)
      return { ...agent, tools: tools.filter((_, index) => index !== pick % tools.length) }
    return { ...agent, disallowedTools: [...disallowedTools, entry] }
  }
}

test("less in a list or more in a denial, anywhere, never gives any run a tool, an access or an agent", async () => {
  let compared = 0
  let withdrawn = 0
  await fc.assert(
    fc.asyncProperty(world, change, async (before, difference) => {
      const [wide, tight] = [await grow(before), await grow(changed(before, difference))]
      withdrawn += wide.size - tight.size
      for (const [way, start] of tight) {
        // One of whose list nothing was left did not run; with an empty list it may, and has nothing.
        const known = wide.get(way)
        if (known) {
          compared++
          expect(
            strictness[hookedInPlace(start)],
            JSON.stringify({ way, moved: [known.moved, start.moved], tools: [known.tools, start.tools] }),
          ).toBeGreaterThanOrEqual(strictness[hookedInPlace(known)])
        }
        for (const call of calls) {
          compared++
          expect(
            strictness[decisionOf(start, call)],
            JSON.stringify({
              way,
              call,
              tools: [known?.tools, start.tools],
              rights: [known?.rights, start.rights],
            }),
          ).toBeGreaterThanOrEqual(known ? leastOf(known, call) : strictness.deny)
        }
      }
    }),
    { numRuns: 100 },
  )
  // Where nothing is handed on or taken away, nothing is proved.
  expect([compared > 2_000, withdrawn > 5]).toEqual([true, true])
})

/** One that has a worktree reads the same file there: without anything that changes files it has none, and reads it in place. */
const leastOf = (start: RunStart, call: JudgedCall): number =>
  Math.min(
    ...[call, ...(start.moved ?? []).map(({ from, to }) => readElsewhere(call, from, to))].map(
      (one) => strictness[decisionOf(start, one)],
    ),
  )

const readElsewhere = ({ tool, accesses = [] }: JudgedCall, from: string, to: string): JudgedCall => ({
  tool,
  accesses: accesses.map((access) =>
    access.type === "read" && access.path.startsWith(`${from}/`)
      ? { ...access, path: to + access.path.slice(from.length) }
      : access,
  ),
})

const decisionOf = ({ rights, tools, withheld = [] }: RunStart, call: JudgedCall): RuleDecision =>
  tools.includes(call.tool) && !withheld.includes(call.tool) ? judge(rights, call).decision : "deny"

/** What a command of its hooks may do in the tree of the person, whichever tools the run has: its own list is about its model. */
const hookedInPlace = ({ rights, moments, moved }: RunStart): RuleDecision =>
  moments && !moved ? judge(withoutOwnSets(rights), hookCommand).decision : "deny"

const hookCommand: JudgedCall = { tool: "Bash", accesses: [{ type: "command", text: "npm test" }] }

/** Worktrees that are only named. */
const isolation: AgentIsolation = {
  plan: async (run, folder) => {
    const worktree = { type: "worktree", path: `/apart/${run}`, branch: run, base: "", from: folder } as const
    return { worktree: { ...worktree, repository: folder }, cwd: worktree.path, warnings: [] }
  },
  open: async () => ({}),
  close: async ({ branch, base }) => ({
    ...{ branch, base, commits: 0, files: [], insertions: 0, deletions: 0 },
    kept: "removed",
  }),
}

const defined = ({ format, ...input }: Definition): Agent => {
  const { context, ...rest } = input
  const agent = defineAgent(context === undefined ? rest : input)
  return { ...agent, origin: { ...agent.origin, format } }
}

/** Has every agent call every other one, and tells how each run began, by the names that led to it. */
async function grow({ agents, rules }: World): Promise<ReadonlyMap<string, RunStart>> {
  const store = memoryStore()
  const asking = agentNames.map((agent) => ({ tool: "Agent", input: { agent, prompt: "x" } }))
  const runtime = openRuntime({
    store,
    agents: agents.map(defined),
    rules,
    tools: [...tools, ...agentControlTools()],
    models: scripted(
      Object.fromEntries(agentNames.map((name) => [name, [{ calls: asking }, { text: "done" }]])),
    ),
    limits: { maxDepth: 2 },
    lifecycle: createHookSource([]),
    isolation,
  })
  const ways = new Map<string, RunStart>()
  try {
    const result = await runtime.run("a", "go").done
    const starts = new Map<string, RunStart>()
    for await (const { run } of store.list({ root: result.run }))
      starts.set(run, (await stateOf(store, run)).start!)
    for (const [run, start] of starts) ways.set(wayTo(run, starts), start)
  } catch (error) {
    // A list of which nothing is left starts nothing.
    if (!(error instanceof CadreError && error.code === "TOOLS_DENIED")) throw error
  }
  await runtime.close()
  return ways
}

function wayTo(run: string, starts: ReadonlyMap<string, RunStart>): string {
  const { agent, caller } = starts.get(run)!
  return caller ? `${wayTo(caller.run, starts)} > ${agent}` : agent
}

const tools: readonly Tool[] = Object.entries(effects).map(([name, effect]) =>
  defineTool({ name, description: name, effect, input: { type: "object" }, execute: () => "done" }),
)
