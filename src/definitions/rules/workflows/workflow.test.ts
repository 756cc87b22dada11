import { describe, expect, test } from "vitest"
import { createRangeFinder } from "../../../ground/diagnostics/position.ts"
import { cadre } from "../../formats/cadre.ts"
import type { Format } from "../../formats/format.ts"
import { gobby } from "../../formats/gobby.ts"
import { readAgent } from "../../formats/read-agent.ts"
import { checkAgents } from "../check.ts"

/** The findings in a file, each with the text at its place. */
function found(format: Format, text: string): readonly string[] {
  const path = format === cadre ? "a.yaml" : ".gobby/agents/a.yaml"
  const { agent, locate } = readAgent(format, { path, text })
  const [problems] = checkAgents([{ agent: agent!, format, source: { text, locate } }], {
    tools: new Set(["deploy"]),
    agents: new Map([["reviewer", agent!]]),
  })
  const rangeOf = createRangeFinder(text)
  return problems!
    .filter(({ code }) => /^(?:workflow|step)-/.test(code))
    .map(({ code, at }) => {
      const span = locate(at) ?? locate({ type: "start" })!
      return `${code} at line ${rangeOf(span).start.line}: ${text.slice(span.start, span.end).split("\n")[0]}`
    })
}

const head = "name: a\ndescription: d\ninstructions: Do it.\n"

describe("findings of workflows", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a sound one",
      "workflow: { steps: [{ name: a, allowed_tools: [Read, deploy, mcp__x__y, 'Web*'] }] }",
      [],
    ],
    [
      "a condition",
      "workflow:\n  steps:\n    - name: a\n      exit_when: vars.n and taks\n",
      ["workflow-invalid at line 7: t"],
    ],
    [
      "a key",
      "workflow:\n  steps:\n    - name: a\n      blocked_tool: x\n",
      ["workflow-invalid at line 7: blocked_tool"],
    ],
    ["what is missing", "workflow:\n  variables: {}\n", ["workflow-invalid at line 5: variables: {}"]],
    [
      "tools",
      "workflow:\n  steps:\n    - name: a\n      allowed_tools: [Read, Gerp]\n",
      ["step-tool-unknown at line 7: Gerp"],
    ],
    [
      "tools whose calls something happens after, but for those that a server may have",
      `workflow:
  on_error: { tool: Raed, inject_context: x }
  steps:
    - name: a
      on_success:
        - { tool: [Read, deploy, claim_task, shell], inject_context: x }
        - { tool: Bsh, inject_context: x }
        - { tool: Bsh, server: s, inject_context: x }
      on_mcp_success: { tool: Bsh, inject_context: x }
`,
      ["step-tool-unknown at line 10: Bsh", "step-tool-unknown at line 5: Raed"],
    ],
    [
      "agents, wherever they stand",
      `workflow:
  on_error:
    - spawn_agent: { agent: one, prompt: x }
  steps:
    - name: a
      on_exit:
        - spawn_agent: { agent: reviewer, prompt: x }
        - spawn_agent: { agent: two, prompt: x }
      transitions:
        - to: a
          on_transition:
            - spawn_agent: { agent: three, prompt: x }
      on_enter: { spawn_agent: { agent: four, prompt: x } }
`,
      [
        "step-agent-unknown at line 16: { spawn_agent: { agent: four, prompt: x } }",
        "step-agent-unknown at line 11: spawn_agent: { agent: two, prompt: x }",
        "step-agent-unknown at line 15: spawn_agent: { agent: three, prompt: x }",
        "step-agent-unknown at line 6: spawn_agent: { agent: one, prompt: x }",
        "step-stuck at line 8: a",
      ],
    ],
    [
      "a circle",
      "workflow:\n  steps:\n    - { name: a, transitions: { to: b } }\n    - { name: b, transitions: { to: a } }\n    - name: c\n",
      ["step-stuck at line 6: a", "step-stuck at line 7: b", "step-unreachable at line 8: c"],
    ],
    [
      "steps in a row",
      "workflow:\n  steps:\n    - { name: a, exit_when: vars.n }\n    - { name: b, exit_when: vars.m }\n",
      [],
    ],
    ["a name that is there", "workflow: development\n", []],
  ])("%s", (_, workflow, expected) => {
    expect(found(cadre, head + workflow)).toEqual(expected)
  })

  test.each<[string, string]>([
    ["steps at the top", "steps:\n  - name: a\n    exit_when: taks\n"],
    ["a step workflow", "step_workflow:\n  steps:\n    - name: a\n      exit_when: taks\n"],
    [
      "one of several",
      "default_workflow: w\nworkflows:\n  w:\n    steps:\n      - name: a\n        exit_when: taks\n",
    ],
    ["another of several", "workflow: v\nworkflows:\n  v: { steps: [{ name: a, exit_when: taks }] }\n"],
  ])("in Gobby's files: %s", (_, workflow) => {
    expect(found(gobby, head + workflow)).toEqual([
      expect.stringMatching(/^workflow-unheard at line \d+: t$/),
    ])
  })

  test("rules of Gobby's that nobody has brought, in the agent that names them", () => {
    const steps = "steps:\n  - name: a\n    check_rules: [no_push]\n"
    expect(found(gobby, head + steps)).toEqual(["workflow-foreign at line 6: no_push"])
  })

  test("steps that Gobby's own agents have, with nothing that leads to the last", () => {
    const steps = `steps:
  - { name: work, allowed_tools: all }
  - { name: terminate, allowed_mcp_tools: ["gobby-agents:kill_agent"] }
exit_condition: "current_step == 'terminate'"
`
    expect(found(gobby, head + steps)).toEqual([
      "step-stuck at line 5: work",
      "step-unreachable at line 6: terminate",
    ])
  })
})
