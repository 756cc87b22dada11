import { describe, expect, test } from "vitest"
import { workflowKeyNames } from "../../src/definitions/formats/workflow-keys.ts"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { call, calling, run } from "./workflow-kit.ts"

/**
 * For each key that a workflow can have, a run that is another one without it. A key of the schema that has no row here
 * fails, and so does a row whose key the engine ignores.
 */
interface Row {
  readonly workflow: { readonly [key: string]: Json }
  /** The way to the key that is taken away. */
  readonly at: readonly (string | number)[]
  readonly script?: ModelScript
  /** What is seen with the key, and not without it. */
  readonly shows: object
}

const build = { name: "build" }
const saying = (text: string) => expect.arrayContaining([expect.stringContaining(text)])
const helper = { lead: [call("Read"), { text: "done" }], helper: [{ text: "report" }] }
const failing = { lead: [call("Read", { says: "throw" }), { text: "done" }] }
const set = { set_variable: { seen: 1 } }
const unfinished = { name: "plan", transitions: { to: "build", when: "vars.never" } }
const ending: ModelScript = {
  lead: [{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }, { text: "five" }],
}

const rows: Readonly<Record<string, Row>> = {
  "workflow.name": {
    workflow: { name: "dev", steps: [build] },
    at: ["name"],
    shows: { workflow: { name: "dev" }, notes: saying("of the workflow 'dev'") },
  },
  "workflow.description": {
    workflow: { description: "Plan first.", steps: [build] },
    at: ["description"],
    shows: { notes: saying("Plan first.") },
  },
  "workflow.version": {
    workflow: { version: "2.0", steps: [build] },
    at: ["version"],
    shows: { workflow: { version: "2.0" } },
  },
  "workflow.type": {
    workflow: { type: "lifecycle", steps: [build] },
    at: ["type"],
    shows: { failed: expect.stringContaining("hooks") },
  },
  // In Gobby's words a variable needs no `vars.`.
  "workflow.format": {
    workflow: {
      format: "gobby",
      variables: { ready: true },
      steps: [{ name: "plan", transitions: [{ to: "build", when: "ready" }] }, build],
    },
    at: ["format"],
    shows: { step: "build", variables: { ready: true } },
  },
  "workflow.variables": {
    workflow: {
      variables: { ready: true },
      steps: [{ name: "plan", transitions: { to: "build", when: "vars.ready" } }, build],
    },
    at: ["variables"],
    shows: { step: "build", variables: { ready: true } },
  },
  "workflow.steps": { workflow: { steps: [build] }, at: ["steps"], shows: { step: "build" } },
  "workflow.exit_condition": {
    workflow: { steps: [build], exit_condition: "vars.never" },
    at: ["exit_condition"],
    shows: { workflow: { status: "unfinished" } },
  },
  "workflow.on_premature_stop": {
    workflow: { steps: [unfinished, build], on_premature_stop: "Not yet, {{ step }}." },
    at: ["on_premature_stop"],
    script: ending,
    shows: { notes: saying("Not yet, plan.") },
  },
  "workflow.on_error": {
    workflow: { steps: [build], exit_condition: "false", on_error: set },
    at: ["on_error"],
    script: failing,
    shows: { variables: { seen: 1 } },
  },
  "workflow.settings": {
    workflow: { steps: [unfinished, build], settings: { premature_stop_max_attempts: 1 } },
    at: ["settings"],
    script: ending,
    shows: { turns: 2 },
  },
  "settings.premature_stop_max_attempts": {
    workflow: { steps: [unfinished, build], settings: { premature_stop_max_attempts: 2 } },
    at: ["settings", "premature_stop_max_attempts"],
    script: ending,
    shows: { turns: 3 },
  },
  "stop.action": {
    workflow: { steps: [unfinished, build], on_premature_stop: { action: "warn" } },
    at: ["on_premature_stop", "action"],
    script: ending,
    shows: { turns: 1, workflow: { status: "unfinished" } },
  },
  "stop.message": {
    workflow: { steps: [unfinished, build], on_premature_stop: { message: "Still {{ step }}." } },
    at: ["on_premature_stop", "message"],
    script: ending,
    shows: { notes: saying("Still plan.") },
  },
  "stop.condition": {
    workflow: { steps: [unfinished, build], on_premature_stop: { condition: "vars.never" } },
    at: ["on_premature_stop", "condition"],
    script: ending,
    shows: { turns: 1 },
  },
  "step.name": {
    workflow: { steps: [{ name: "plan", transitions: { to: "build" } }, build] },
    at: ["steps", 1, "name"],
    script: calling("Read"),
    shows: { step: "build" },
  },
  "step.description": {
    workflow: { steps: [{ name: "plan", description: "Look around." }] },
    at: ["steps", 0, "description"],
    shows: { notes: saying("Look around.") },
  },
  "step.status_message": {
    workflow: {
      steps: [
        { name: "plan", transitions: { to: "build" } },
        { ...build, status_message: "Write {{ task }}." },
      ],
    },
    at: ["steps", 1, "status_message"],
    script: calling("Read"),
    shows: { notes: saying("Write go.") },
  },
  "step.allowed_tools": {
    workflow: { steps: [{ name: "plan", allowed_tools: ["Read"] }] },
    at: ["steps", 0, "allowed_tools"],
    script: calling("Bash"),
    shows: {
      ran: [],
      results: ["Not permitted: Tool 'Bash' is not allowed in the 'plan' step.\nAllowed tools: Read"],
    },
  },
  "step.blocked_tools": {
    workflow: { steps: [{ name: "plan", blocked_tools: ["Bash"] }] },
    at: ["steps", 0, "blocked_tools"],
    script: calling("Bash"),
    shows: { ran: [] },
  },
  "step.allowed_mcp_tools": {
    workflow: { steps: [{ name: "plan", allowed_mcp_tools: ["tasks:get"] }] },
    at: ["steps", 0, "allowed_mcp_tools"],
    script: calling("mcp__tasks__claim", "mcp__tasks__get"),
    shows: { ran: ["lead: mcp__tasks__get"] },
  },
  "step.blocked_mcp_tools": {
    workflow: { steps: [{ name: "plan", blocked_mcp_tools: ["tasks:*"] }] },
    at: ["steps", 0, "blocked_mcp_tools"],
    script: calling("mcp__tasks__claim", "mcp__other__get"),
    shows: { ran: ["lead: mcp__other__get"] },
  },
  "step.on_enter": {
    workflow: { steps: [{ name: "plan", on_enter: set }] },
    at: ["steps", 0, "on_enter"],
    shows: { variables: { seen: 1 } },
  },
  "step.on_exit": {
    workflow: { steps: [{ name: "plan", on_exit: set, transitions: { to: "build" } }, build] },
    at: ["steps", 0, "on_exit"],
    script: calling("Read"),
    shows: { variables: { seen: 1 } },
  },
  "step.on_success": {
    workflow: {
      steps: [{ ...unfinished, on_success: { spawn_agent: { agent: "helper", prompt: "look" } } }, build],
    },
    at: ["steps", 0, "on_success"],
    script: helper,
    shows: { agents: ["lead", "helper"] },
  },
  "step.on_error": {
    workflow: { steps: [{ ...unfinished, on_error: set }, build] },
    at: ["steps", 0, "on_error"],
    script: failing,
    shows: { variables: { seen: 1 } },
  },
  "step.on_mcp_success": {
    workflow: { steps: [{ ...unfinished, on_mcp_success: set }, build] },
    at: ["steps", 0, "on_mcp_success"],
    script: calling("mcp__tasks__claim"),
    shows: { variables: { seen: 1 } },
  },
  "step.on_mcp_error": {
    workflow: { steps: [{ ...unfinished, on_mcp_error: set }, build] },
    at: ["steps", 0, "on_mcp_error"],
    script: { lead: [call("mcp__tasks__claim", { says: '{"success": false}' }), { text: "done" }] },
    shows: { variables: { seen: 1 } },
  },
  "step.transitions": {
    workflow: { steps: [{ name: "plan", transitions: [{ to: "build" }] }, build] },
    at: ["steps", 0, "transitions"],
    script: calling("Read"),
    shows: { step: "build", notes: saying("Step transition: plan → build\n") },
  },
  "step.exit_when": {
    workflow: { steps: [{ name: "plan", exit_when: 'tool_name == "Read"' }, build] },
    at: ["steps", 0, "exit_when"],
    script: calling("Read"),
    shows: { step: "build" },
  },
  "transition.to": {
    workflow: { steps: [{ name: "plan", transitions: { to: "build" } }, { name: "other" }, build] },
    at: ["steps", 0, "transitions", "to"],
    script: calling("Read"),
    shows: { step: "build" },
  },
  "transition.when": {
    workflow: { steps: [{ name: "plan", transitions: { to: "build", when: "vars.never" } }, build] },
    at: ["steps", 0, "transitions", "when"],
    script: calling("Read"),
    shows: { step: "plan" },
  },
  "transition.on_transition": {
    workflow: {
      steps: [
        { name: "plan", transitions: { to: "build", on_transition: { inject_context: "On the way." } } },
        build,
      ],
    },
    at: ["steps", 0, "transitions", "on_transition"],
    script: calling("Read"),
    shows: { notes: saying("On the way.") },
  },
  "entry.when": {
    workflow: { variables: { seen: 0 }, steps: [{ name: "plan", on_enter: { when: "vars.never", ...set } }] },
    at: ["steps", 0, "on_enter", "when"],
    shows: { variables: { seen: 0 } },
  },
  "reaction.when": {
    workflow: {
      variables: { seen: 0 },
      steps: [{ ...unfinished, on_success: { when: "vars.never", ...set } }, build],
    },
    at: ["steps", 0, "on_success", "when"],
    script: calling("Read"),
    shows: { variables: { seen: 0 } },
  },
  "reaction.tool": {
    workflow: {
      variables: { seen: 0 },
      steps: [{ ...unfinished, on_success: { tool: "Edit", ...set } }, build],
    },
    at: ["steps", 0, "on_success", "tool"],
    script: calling("Read"),
    shows: { variables: { seen: 0 } },
  },
  "reaction.server": {
    workflow: {
      variables: { seen: 0 },
      steps: [{ ...unfinished, on_mcp_success: { server: "tasks", ...set } }, build],
    },
    at: ["steps", 0, "on_mcp_success", "server"],
    script: calling("mcp__other__get"),
    shows: { variables: { seen: 0 } },
  },
}

describe("every key of a workflow does something", () => {
  test("there is a row for each that the schema has, and for no other", () => {
    expect(Object.keys(rows).sort()).toEqual([...workflowKeyNames].sort())
  })

  test.each(Object.entries(rows))("%s", async (key, { workflow, at, script = calling(), shows }) => {
    expect(at.at(-1)).toBe(key.split(".")[1])
    const [kept, without] = [await seen(workflow, script), await seen(removed(workflow, at), script)]
    expect(kept).toMatchObject(shows)
    expect(without, `${key} is ignored: a run without it shows the same`).not.toMatchObject(shows)
  })
})

async function seen(workflow: Json, script: ModelScript): Promise<object> {
  const agents = [{ name: "helper", instructions: "x" }]
  try {
    return await run(workflow, script, { agents })
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

function removed(value: Json, [key, ...rest]: readonly (string | number)[]): Json {
  if (Array.isArray(value))
    return value.map((entry: Json, index) => (index === key ? removed(entry, rest) : entry))
  const entries = Object.entries(value as { readonly [key: string]: Json })
  return Object.fromEntries(
    entries.flatMap(([name, inner]) => {
      if (name !== key) return [[name, inner]]
      return rest.length === 0 ? [] : [[name, removed(inner, rest)]]
    }),
  )
}
